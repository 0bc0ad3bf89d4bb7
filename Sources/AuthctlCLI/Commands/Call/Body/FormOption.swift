import AuthCore

/// One parsed `-F` or `--form-string`.
struct FormOption: Sendable, Equatable {
  /// The content of a field.
  enum Content: Sendable, Equatable {
    /// `NAME=TEXT`
    case text(String, FormAttributes)
    /// `NAME=@FILE`, or several files, separated by commas.
    case files([File])
    /// `NAME=<FILE`
    case contents(File)
    /// `NAME=(`: the following fields are inside this one.
    case opening(FormAttributes)
    /// `=)`: the following fields are outside again.
    case closing

    /// The `encoder=` attributes of the contents.
    fileprivate var encoders: [String] {
      switch self {
      case .text(_, let attributes): [attributes.encoder].compactMap(\.self)
      case .contents(let file): [file.attributes.encoder].compactMap(\.self)
      case .files(let files): files.compactMap(\.attributes.encoder)
      case .opening, .closing: []
      }
    }
  }

  /// A file and its attributes.
  struct File: Sendable, Equatable {
    /// The file's path; `-` for standard input.
    let path: String
    /// The file's attributes.
    let attributes: FormAttributes
  }

  /// The field's name; nil if it has none.
  let name: String?
  /// The field's content.
  let content: Content

  /// The `-F` and `--form-string` of a command line, in order.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if one is malformed, or closes a part that was not opened.
  static func all(_ invocation: Invocation) throws(AuthError) -> [FormOption] {
    var options: [FormOption] = []
    var depth = 0
    for occurrence in invocation.occurrences {
      let text = occurrence.value ?? ""
      switch occurrence.option {
      case CallOptions.form: options.append(try FormOption(text))
      case CallOptions.formString: options.append(try FormOption(literal: text))
      default: continue
      }
      switch options.last?.content {
      case .opening: depth += 1
      case .closing: depth -= 1
      default: break
      }
      guard depth >= 0 else {
        throw .usage("-F =)", why: "no part is open", hint: "open it with -F 'name=('")
      }
    }
    return options
  }

  /// Reads the value of a `--form-string`: everything after the `=` is text.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if there is no `=`.
  init(literal text: String) throws(AuthError) {
    let (name, rest) = try FormOption.parts(text)
    self.name = name
    content = .text(rest, FormAttributes())
  }

  /// Reads the value of a `-F`.
  ///
  /// - Throws: ``AuthError/usage(_:)``, without the content: it may be a secret.
  init(_ text: String) throws(AuthError) {
    let (name, rest) = try FormOption.parts(text)
    self.name = name
    do {
      content = try FormOption.content(rest, isNamed: name != nil)
    } catch {
      throw FormOption.malformed(name, error.description)
    }
    for encoder in content.encoders where !["binary", "8bit"].contains(encoder.lowercased()) {
      throw .usage(
        "-F ;encoder=\(Escaped.text(encoder, limit: 40))", why: "use binary or 8bit",
        hint: "encode the content before, and name the encoding: ;headers=\"Content-Transfer-Encoding: …\"")
    }
  }

  private static func parts(_ text: String) throws(AuthError) -> (name: String?, content: String) {
    guard let equals = text.firstIndex(ofAny: "=") else { throw malformed(nil, "it has no =") }
    let name = String(text[..<equals])
    return (name.isEmpty ? nil : name, String(text.suffix(after: equals)))
  }

  private static func content(_ text: String, isNamed: Bool) throws(FormReader.Mistake) -> Content {
    if text == ")", !isNamed { return .closing }
    switch text.unicodeScalars.first {
    case "(":
      var reader = FormReader(text)
      let attributes = try reader.part().attributes
      guard attributes.fileName == nil, attributes.encoder == nil else {
        throw FormReader.Mistake("parts within a part have neither filename= nor encoder=")
      }
      return .opening(attributes)
    case "<":
      var reader = FormReader(String(text.suffix(after: text.startIndex)))
      let file = try reader.file()
      guard file.attributes.fileName == nil else {
        throw FormReader.Mistake("a text has no filename: use @ for a file")
      }
      return .contents(file)
    case "@":
      var reader = FormReader(String(text.suffix(after: text.startIndex)), separator: ",")
      var files = [try reader.file()]
      while reader.skipSeparator() { files.append(try reader.file()) }
      return .files(files)
    default:
      var reader = FormReader(text)
      let (text, attributes) = try reader.part()
      return .text(text, attributes)
    }
  }

  private static func malformed(_ name: String?, _ why: String) -> AuthError {
    .usage(
      "-F \(Escaped.text(name ?? "", limit: 80))", why: why,
      hint:
        "use -F 'name=text', -F 'name=@file;type=image/png', or put double quotes around what has a ; in it")
  }
}
