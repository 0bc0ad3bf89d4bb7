import AuthCore

/// Parses the content and attributes of a `-F` as curl does, but refuses input that curl only warns about.
struct FormReader {
  /// The reason why the value is malformed.
  struct Mistake: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  private let text: [Unicode.Scalar]
  private let separator: Unicode.Scalar?
  private var place = 0

  /// - Parameter separator: the separator between several contents; nil if there is only one.
  init(_ text: String, separator: Unicode.Scalar? = nil) {
    self.text = Array(text.unicodeScalars)
    self.separator = separator
  }

  /// Reads a file's path and attributes.
  mutating func file() throws(Mistake) -> FormOption.File {
    let (path, attributes) = try part()
    guard !path.isEmpty else { throw Mistake("it names no file") }
    return FormOption.File(path: path, attributes: attributes)
  }

  /// Skips the separator; false at the end.
  mutating func skipSeparator() -> Bool {
    guard place < text.count else { return false }
    place += 1
    return true
  }

  /// Reads one content and its attributes, up to the separator or the end.
  mutating func part() throws(Mistake) -> (content: String, attributes: FormAttributes) {
    skipSpaces()
    let content = try word()
    var attributes = FormAttributes()
    while place < text.count, text[place] == ";" {
      place += 1
      skipSpaces()
      if attributes.mediaType == nil, skip("type=") {
        attributes.mediaType = try mediaType()
      } else if skip("filename=") {
        skipSpaces()
        attributes.fileName = try word()
      } else if skip("headers=") {
        attributes.headers.append(try header())
      } else if skip("encoder=") {
        skipSpaces()
        attributes.encoder = try word()
      } else {
        throw Mistake("after a ; use type=, filename=, headers= or encoder=")
      }
    }
    return (content, attributes)
  }

  /// Reads `MEDIA/TYPE` and its parameters, which follow a `;` like the attributes.
  private mutating func mediaType() throws(Mistake) -> String {
    skipSpaces()
    let start = place
    let slash = text[start...].firstIndex { $0 == "/" || $0 == " " } ?? text.count  // scalars
    guard slash > start, slash < text.count, text[slash] == "/", slash + 1 < text.count,
      !";, \n".unicodeScalars.contains(text[slash + 1])
    else { throw Mistake("type= is not followed by a media type") }
    place = slash + 1
    while place < text.count, !";, \n".unicodeScalars.contains(text[place]) { place += 1 }
    skipToEnd()
    while place < text.count, text[place] == ";", !isAttribute(after: place + 1) {
      place += 1
      skipToEnd()
    }
    let type = text[start..<place]
    guard !type.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
      throw Mistake("the media type contains a control character")
    }
    return FormReader.string(type, trimmed: true)
  }

  private func isAttribute(after start: Int) -> Bool {
    let rest = FormReader.string(text[start...].drop { $0.properties.isWhitespace }).lowercased()
    return ["filename=", "headers=", "encoder="].contains { rest.starts(withBytes: $0) }
  }

  private mutating func header() throws(Mistake) -> FormAttributes.Header {
    guard place < text.count, text[place] == "@" || text[place] == "<" else {
      skipSpaces()
      return .line(try word())
    }
    place += 1
    skipSpaces()
    return .file(try word())
  }

  /// Reads one word: between double quotes with escapes, or up to the next `;` or separator.
  private mutating func word() throws(Mistake) -> String {
    if place < text.count, text[place] == "\"", let quoted = try quoted() { return quoted }
    let start = place
    skipToEnd()
    return FormReader.string(text[start..<place], trimmed: true)
  }

  /// Reads a word between double quotes; nil if the closing quote is missing: the opening quote is then literal.
  private mutating func quoted() throws(Mistake) -> String? {
    var content: [Unicode.Scalar] = []
    var next = place + 1
    while next < text.count, text[next] != "\"" {
      let isEscape = text[next] == "\\" && next + 1 < text.count && (text[next + 1] == "\\" || text[next + 1] == "\"")
      if isEscape { next += 1 }
      content.append(text[next])
      next += 1
    }
    guard next < text.count else { return nil }
    place = next + 1
    skipSpaces()
    guard place == text.count || text[place] == ";" || text[place] == separator else {
      throw Mistake("there is text after the closing double quote")
    }
    return FormReader.string(content[...])
  }

  private mutating func skip(_ keyword: String) -> Bool {
    let end = place + keyword.unicodeScalars.count
    guard end <= text.count, FormReader.string(text[place..<end]).lowercased() == keyword else { return false }
    place = end
    return true
  }

  private mutating func skipSpaces() {
    while place < text.count, text[place].properties.isWhitespace { place += 1 }
  }

  private mutating func skipToEnd() {
    while place < text.count, text[place] != ";", text[place] != separator { place += 1 }
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>, trimmed: Bool = false) -> String {
    let end =
      trimmed
      ? scalars.lastIndex { !$0.properties.isWhitespace }.map { $0 + 1 } ?? scalars.startIndex : scalars.endIndex
    return scalars[..<end].reduce(into: "") { $0.unicodeScalars.append($1) }
  }
}

/// The attributes after the content of a `-F`, each after a `;`.
struct FormAttributes: Sendable, Equatable {
  /// A header line of a part, or a file of header lines.
  enum Header: Sendable, Equatable {
    /// `headers="Name: value"`
    case line(String)
    /// `headers=@FILE`
    case file(String)
  }

  /// `type=`, with its parameters.
  var mediaType: String?
  /// `filename=`
  var fileName: String?
  /// `headers=`, in order.
  var headers: [Header] = []
  /// `encoder=`
  var encoder: String?
}

/// The media types that curl derives from a file name's extension.
enum FormMediaType {
  /// The type of a file whose extension is unknown.
  static let standard = "application/octet-stream"

  private static let types = [
    (".gif", "image/gif"), (".jpg", "image/jpeg"), (".jpeg", "image/jpeg"), (".png", "image/png"),
    (".svg", "image/svg+xml"), (".txt", "text/plain"), (".htm", "text/html"), (".html", "text/html"),
    (".pdf", "application/pdf"), (".xml", "application/xml"),
  ]

  /// Returns the type of a file name, ignoring case; nil if its extension is unknown.
  static func guess(_ name: String?) -> String? {
    guard let name = name?.lowercased() else { return nil }
    return types.first { name.ends(withBytes: $0.0) }?.1
  }
}
