import AuthCore
import HTTPTypes
import SystemPackage

/// One header line of `-H`: a field to send, or to omit.
enum HeaderLine: Sendable, Equatable {
  /// `Name: value`, or `Name;` for an empty value: the field is sent, as the line is written.
  case field(HTTPField, line: [UInt8])
  /// `Name:`: the field is not sent.
  case withheld(HTTPField.Name)

  /// The field's name.
  var name: HTTPField.Name {
    switch self {
    case .field(let field, _): field.name
    case .withheld(let name): name
    }
  }

  /// Reads a line, without its end.
  ///
  /// - Throws: ``AuthError/usage(_:)``, without the value: it may be a secret.
  init(_ line: [UInt8]) throws(AuthError) {
    let end = line.firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") } ?? line.endIndex
    let name = String(decoding: line[..<end], as: UTF8.self)
    guard end < line.endIndex, let name = HTTPField.Name(name) else {
      throw HeaderLine.malformed(name, "not a header line")
    }
    let value = HeaderLine.trimmed(line[line.index(after: end)...])
    if line[end] == UInt8(ascii: ";") {
      guard value.isEmpty else { throw HeaderLine.malformed(name.rawName, "a ; after the name means an empty header") }
      self = .field(HTTPField(name: name, value: ""), line: Array(line[...end]))
      return
    }
    guard HTTPField.isValidValue(value) else {
      throw HeaderLine.malformed(name.rawName, "its value contains a control character")
    }
    self = value.isEmpty ? .withheld(name) : .field(HTTPField(name: name, value: value), line: line)
  }

  /// Returns the lines of a file, separated by line feeds, carriage returns or both, without empty lines.
  static func lines(of file: [UInt8]) -> [[UInt8]] {
    file.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map(Array.init)
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let start = bytes.drop(while: isSpace)
    return start.dropLast(start.reversed().prefix(while: isSpace).count)
  }

  private static func malformed(_ name: String, _ why: String) -> AuthError {
    .usage("-H \(Escaped.text(name, limit: 80))", why: why, hint: "use -H 'Name: value'")
  }
}

/// The value of one `-H`: a line, or a file of lines.
enum HeaderOption: Sendable, Equatable {
  /// The line.
  case line(HeaderLine)
  /// The path of the file; `-` for standard input.
  case file(String)

  /// Reads a value.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if the line is malformed.
  init(_ value: String) throws(AuthError) {
    switch TextOrFile(value) {
    case .text(let line): self = .line(try HeaderLine(Array(line.utf8)))
    case .file(let path): self = .file(path)
    }
  }

  /// Returns the lines of several options, in order. Their values are hidden in logs, unless they are harmless.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if a file can't be read, or has a malformed line.
  static func lines(_ options: [HeaderOption], _ context: Context) throws(AuthError) -> [HeaderLine] {
    var lines: [HeaderLine] = []
    for option in options {
      switch option {
      case .line(let line): lines.append(line)
      case .file(let path):
        for line in HeaderLine.lines(of: try content(of: path, context)) { lines.append(try HeaderLine(line)) }
      }
    }
    context.redaction.hide(lines.map(\.name))
    return lines
  }

  private static func content(of path: String, _ context: Context) throws(AuthError) -> [UInt8] {
    do {
      guard path == "-" else { return try InputFile(path: path).smallContent() }
      guard let content = try Spool(context.console.input, folder: "/").readAhead() else { throw Errno.fileTooLarge }
      return content
    } catch {
      throw .usage("-H @\(Escaped.text(path))", why: "can't be read", hint: "check the path and its mode")
    }
  }
}
