/// A `multipart/form-data` body (RFC 7578; WHATWG HTML, section 4.10.21.8).
public struct MultipartBody: Sendable {
  /// One part: a text or a file.
  public struct Part: Sendable, Equatable {
    /// The field's name.
    public let name: String
    /// The file's name; nil for a text.
    public let fileName: String?
    /// The media type of a file.
    public let mediaType: String?
    /// The text in UTF-8, or the file's bytes.
    public let content: [UInt8]

    /// Creates a text field.
    public static func text(_ name: String, _ text: String) -> Part { Part(name: name, content: Array(text.utf8)) }

    /// Creates a file part; its media type is derived from its name if none is given.
    public static func file(
      _ name: String, fileName: String, mediaType: String? = nil, content: [UInt8]
    ) -> Part {
      Part(name: name, file: fileName, mediaType: mediaType, content: content)
    }

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

  /// The text that separates the parts; it occurs in none of them.
  public let boundary: String
  /// The whole body.
  public let bytes: [UInt8]

  /// Encodes the parts with a random boundary.
  public init(_ parts: [Part]) { self.init(parts, random: SystemRandomText.make) }

  init(_ parts: [Part], random: RandomText) {
    var boundary = "form-" + random()
    while parts.contains(where: { $0.content.firstRange(of: Array(boundary.utf8)) != nil }) {
      boundary = "form-" + random()
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
  public var contentType: String { "multipart/form-data; boundary=\(boundary)" }

  /// Returns a name for a quoted string (WHATWG HTML, section 4.10.21.8): quotation marks, line ends and NUL are
  /// percent-encoded.
  package static func escape(_ name: String) -> String {
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
