import AuthCore

/// One `-d`, `--data-raw`, `--data-binary`, `--data-urlencode` or `--json`.
struct DataPiece: Sendable, Equatable {
  /// How the content is changed.
  enum Change: Sendable, Equatable {
    /// It is sent as it is.
    case none
    /// A file is sent without its line ends, as in curl: they are not data.
    case withoutLineEnds
    /// It is encoded for a URL, after a name that is not; an empty name has no `=`.
    case encoded(name: String)
  }

  /// The data itself, or the file that holds it.
  let content: TextOrFile
  /// How it is changed.
  let change: Change
  /// Whether it is JSON, which no `&` separates from the piece before it.
  let isJSON: Bool

  /// Reads an option.
  init(_ occurrence: Occurrence) {
    let value = occurrence.value ?? ""
    isJSON = occurrence.option == CallOptions.json
    switch occurrence.option {
    case CallOptions.dataURLEncode: (content, change) = DataPiece.encoded(value)
    case CallOptions.dataRaw: (content, change) = (.text(value), .none)
    case CallOptions.data, CallOptions.dataASCII: (content, change) = (TextOrFile(value), .withoutLineEnds)
    default: (content, change) = (TextOrFile(value), .none)
    }
  }

  /// The five forms of `--data-urlencode`: an `=` anywhere comes before an `@`.
  private static func encoded(_ value: String) -> (TextOrFile, Change) {
    guard let mark = value.firstIndex(of: "=") ?? value.firstIndex(of: "@") else {
      return (.text(value), .encoded(name: ""))
    }
    let rest = String(value[value.index(after: mark)...])
    return (value[mark] == "@" ? .file(rest) : .text(rest), .encoded(name: String(value[..<mark])))
  }

  /// The body that pieces make up; a single file that is sent as it is isn't read before.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if a file can't be read.
  static func body(_ pieces: [DataPiece], _ context: Context) throws(AuthError) -> RequestBody {
    if pieces.count == 1, pieces[0].change == .none, case .file(let path) = pieces[0].content {
      return try BodySource(path, context).body(readingAhead: true)
    }
    return .bytes(try content(pieces, context))
  }

  /// What pieces make up: joined by `&`, except for JSON.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if a file can't be read.
  static func content(_ pieces: [DataPiece], _ context: Context) throws(AuthError) -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, piece) in pieces.enumerated() {
      if index > 0, !piece.isJSON { bytes.append(UInt8(ascii: "&")) }
      bytes += try piece.bytes(context)
    }
    return bytes
  }

  private func bytes(_ context: Context) throws(AuthError) -> [UInt8] {
    let (bytes, isFile): ([UInt8], Bool)
    switch content {
    case .text(let text): (bytes, isFile) = (Array(text.utf8), false)
    case .file(let path): (bytes, isFile) = (try BodySource(path, context).content(), true)
    }
    switch change {
    case .withoutLineEnds where isFile:
      return bytes.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") && $0 != 0 }
    case .none, .withoutLineEnds: return bytes
    case .encoded(let name):
      return Array(((name.isEmpty ? "" : name + "=") + FormEncoding.plusEncode(bytes)).utf8)
    }
  }
}
