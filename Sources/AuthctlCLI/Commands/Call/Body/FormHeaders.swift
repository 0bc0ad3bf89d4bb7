import AuthCore

/// Reads the `headers=` attributes of a `-F`.
struct FormHeaders: Sendable {
  private let context: Context

  init(_ context: Context) {
    self.context = context
  }

  /// Returns the header lines, including those of files.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if a line is malformed or a file can't be read.
  func lines(_ headers: [FormAttributes.Header]) throws(AuthError) -> [String] {
    var lines: [String] = []
    for header in headers {
      switch header {
      case .line(let line): lines.append(line)
      case .file(let path):
        lines += FormHeaders.lines(of: String(decoding: try BodySource(path, context).content(), as: UTF8.self))
      }
    }
    for line in lines where line.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F }) {
      throw .usage("-F ;headers=", why: "a line contains a control character", hint: "use headers=\"Name: value\"")
    }
    return lines
  }

  /// Returns the lines of a file: white space at the start continues the previous line, `#` starts a comment.
  static func lines(of text: String) -> [String] {
    var lines: [String] = []
    for line in text.unicodeScalars.filter({ $0 != "\r" }).split(separator: "\n").map(String.init) {
      guard let first = line.unicodeScalars.first, first != "#" else { continue }
      if first.properties.isWhitespace, !lines.isEmpty {
        lines[lines.count - 1] += line
      } else {
        lines.append(line)
      }
    }
    return lines.map { line in
      String(line.unicodeScalars.reversed().drop { $0.properties.isWhitespace }.reversed().map(Character.init))
    }
  }
}
