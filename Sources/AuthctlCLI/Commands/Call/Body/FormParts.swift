import AuthCore
import SystemPackage

/// Creates the parts of a form from the `-F` and `--form-string` of a command line.
struct FormParts: Sendable {
  private let context: Context

  init(_ context: Context) {
    self.context = context
  }

  /// Returns the parts, in the order of the options.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if a file can't be read.
  func parts(_ options: [FormOption]) throws(AuthError) -> [FormPart] {
    // The parts of each open form, the outermost first.
    var open: [[FormPart]] = [[]]
    var groups: [FormPart] = []
    for field in options {
      switch field.content {
      case .opening(let attributes):
        groups.append(try group(named: field.name, attributes))
        open.append([])
      case .closing:
        if let group = groups.popLast() { close(group, &open) }
      default:
        open[open.count - 1].append(try part(field))
      }
    }
    // As in curl: parts that are still open end with the command line.
    while let group = groups.popLast() { close(group, &open) }
    return open[0]
  }

  private func close(_ group: FormPart, _ open: inout [[FormPart]]) {
    var group = group
    group.content = .parts(open.removeLast())
    open[open.count - 1].append(group)
  }

  private func part(_ field: FormOption) throws(AuthError) -> FormPart {
    switch field.content {
    case .text(let text, let attributes):
      var part = try part(attributes, .body(.bytes(Array(text.utf8))))
      part.name = field.name
      part.guessedType = plainType(FormMediaType.guess(part.fileName), of: part)
      return part
    case .contents(let file):
      var part = try part(file.attributes, .body(body(file.path)))
      part.name = field.name
      part.guessedType = file.path == "-" ? nil : plainType(FormMediaType.guess(file.path), of: part)
      return part
    case .files(let files) where files.count == 1:
      var part = try self.file(files[0])
      part.name = field.name
      return part
    case .files(let files):
      var parts: [FormPart] = []
      for file in files { parts.append(try self.file(file)) }
      var part = try group(named: field.name, FormAttributes())
      part.content = .parts(parts)
      return part
    case .opening, .closing:
      return try group(named: field.name, FormAttributes())
    }
  }

  private func file(_ file: FormOption.File) throws(AuthError) -> FormPart {
    var part = try part(file.attributes, .body(body(file.path)))
    guard file.path != "-" else {
      part.fileName = part.fileName ?? "-"
      part.guessedType = FormMediaType.guess(part.fileName)
      return part
    }
    part.fileName = part.fileName ?? FilePath(file.path).lastComponent?.string ?? file.path
    part.guessedType =
      FormMediaType.guess(part.fileName) ?? FormMediaType.guess(file.path) ?? FormMediaType.standard
    return part
  }

  /// Returns the media type without the default of a text part: as in curl, `text/plain` is not sent.
  private func plainType(_ type: String?, of part: FormPart) -> String? {
    type == "text/plain" && part.fileName == nil ? nil : type
  }

  private func group(named name: String?, _ attributes: FormAttributes) throws(AuthError) -> FormPart {
    var part = try part(attributes, .parts([]))
    part.name = name
    part.guessedType = "multipart/mixed"
    return part
  }

  private func part(_ attributes: FormAttributes, _ content: FormPart.Content) throws(AuthError) -> FormPart {
    FormPart(
      fileName: attributes.fileName, givenType: attributes.mediaType,
      headers: try FormHeaders(context).lines(attributes.headers), encoding: attributes.encoder?.lowercased(),
      content: content)
  }

  private func body(_ path: String) throws(AuthError) -> RequestBody {
    try BodySource(path, context).body(readingAhead: path == "-")
  }
}
