/// A `multipart/form-data` body (RFC 7578; WHATWG HTML, section 4.10.21.8).
struct MultipartBody: Sendable {
  /// One part.
  struct Part: Sendable, Equatable {
    /// The field's name.
    let name: String
    /// The file's name; nil for a text.
    let fileName: String?
    /// The media type of a file.
    let mediaType: String?
    /// What it holds.
    let content: [UInt8]

    init(name: String, content: [UInt8]) {
      self.name = name
      fileName = nil
      mediaType = nil
      self.content = content
    }

    init(name: String, file: String, mediaType: String? = nil, content: [UInt8]) {
      self.name = name
      fileName = file
      self.mediaType = mediaType ?? FileMediaType.guess(file)
      self.content = content
    }
  }

  /// What separates the parts; it occurs in none of them.
  let boundary: String
  /// The whole body.
  let bytes: [UInt8]

  /// Puts a body together with a boundary that nobody could foresee.
  init(_ parts: [Part], random: RandomText = SystemRandomText.make) {
    var boundary = "authctl-" + random()
    while parts.contains(where: { $0.content.firstRange(of: Array(boundary.utf8)) != nil }) {
      boundary = "authctl-" + random()
    }
    var bytes: [UInt8] = []
    for part in parts {
      var header = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(MultipartBody.escape(part.name))\""
      if let file = part.fileName { header += "; filename=\"\(MultipartBody.escape(file))\"" }
      if let type = part.mediaType { header += "\r\nContent-Type: \(type)" }
      bytes += Array((header + "\r\n\r\n").utf8)
      bytes += part.content
      bytes += Array("\r\n".utf8)
    }
    bytes += Array("--\(boundary)--\r\n".utf8)
    self.boundary = boundary
    self.bytes = bytes
  }

  /// `Content-Type` of the body.
  var contentType: String { "multipart/form-data; boundary=\(boundary)" }

  /// A name within quotes: what would end it, or the line, is percent-encoded.
  private static func escape(_ name: String) -> String {
    name.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "\"": escaped += "%22"
      case "\r": escaped += "%0D"
      case "\n": escaped += "%0A"
      case "\0": escaped += "%00"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }
}
