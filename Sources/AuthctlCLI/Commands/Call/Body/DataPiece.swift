import AuthCore

/// The value of one `-d`, `--data-raw`, `--data-binary`, `--data-urlencode` or `--json`.
struct DataPiece: Sendable, Equatable {
  /// The change to the content before it is sent.
  enum Change: Sendable, Equatable {
    /// The content is sent as it is.
    case none
    /// The content of a file is sent without its line ends, as in curl.
    case withoutLineEnds
    /// The content is percent-encoded, after a name that is not; an empty name has no `=`.
    case encoded(name: String)
  }

  /// The data itself, or the file that holds it.
  let content: TextOrFile
  /// The change to the content.
  let change: Change
  /// Whether it is JSON, which no `&` separates from the piece before it.
  let isJSON: Bool

  /// Reads an occurrence of an option.
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

  /// Reads one of the five forms of `--data-urlencode`: an `=` anywhere takes precedence over an `@`.
  private static func encoded(_ value: String) -> (TextOrFile, Change) {
    guard let mark = value.firstIndex(ofAny: "=") ?? value.firstIndex(ofAny: "@") else {
      return (.text(value), .encoded(name: ""))
    }
    let rest = String(value.suffix(after: mark))
    return (value.utf8[mark] == UInt8(ascii: "@") ? .file(rest) : .text(rest), .encoded(name: String(value[..<mark])))
  }

  /// Creates the body from pieces; a single file that is sent unchanged is not read in advance.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if a file can't be read.
  static func body(_ pieces: [DataPiece], _ context: Context) throws(AuthError) -> RequestBody {
    if pieces.count == 1, pieces[0].change == .none, case .file(let path) = pieces[0].content {
      return try BodySource(path, context).body(readingAhead: true)
    }
    return .bytes(try content(pieces, context))
  }

  /// Returns the content of pieces, joined by `&` except for JSON.
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
