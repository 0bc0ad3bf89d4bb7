import Foundation

/// One part of a `multipart/form-data` body (RFC 7578).
struct MultipartPart: Sendable {
  /// The field's name.
  let name: String
  /// The file's name, where it is a file.
  let fileName: String?
  /// Its media type.
  let type: String?
  /// What it holds.
  let content: Data

  /// The content as text.
  var text: String? { String(data: content, encoding: .utf8) }

  /// Takes a body apart; nil where it is none.
  static func parts(of body: Data, contentType: String) -> [MultipartPart]? {
    guard contentType.lowercased().hasPrefix("multipart/form-data"),
      let range = contentType.range(of: "boundary=")
    else { return nil }
    let boundary = contentType[range.upperBound...].prefix { $0 != ";" && $0 != " " }.filter { $0 != "\"" }
    var rest = body[...]
    var parts: [MultipartPart] = []
    guard let first = rest.range(of: Data("--\(boundary)".utf8)), first.lowerBound == rest.startIndex else {
      return nil
    }
    rest = rest[first.upperBound...]
    while rest.starts(with: Data("\r\n".utf8)) {
      guard let next = rest.range(of: Data("\r\n--\(boundary)".utf8)),
        let part = MultipartPart(rest[..<next.lowerBound])
      else { return nil }
      parts.append(part)
      rest = rest[next.upperBound...]
    }
    return rest.starts(with: Data("--".utf8)) ? parts : nil
  }

  /// A field that came another way.
  init(name: String, text: String) {
    self.name = name
    fileName = nil
    type = nil
    content = Data(text.utf8)
  }

  private init?(_ bytes: Data) {
    guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return nil }
    let header = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
    func value(_ key: String, until stop: String) -> String? {
      guard let start = header.range(of: key) else { return nil }
      let rest = header[start.upperBound...]
      return String(rest[..<(rest.range(of: stop)?.lowerBound ?? rest.endIndex)])
    }
    guard let name = value("; name=\"", until: "\"") else { return nil }
    self.name = name
    fileName = value("; filename=\"", until: "\"")
    type = value("Content-Type: ", until: "\r\n")
    content = Data(bytes[end.upperBound...])
  }
}
