import AuthCore

/// The `-d`, `--data-raw`, `--data-binary`, `--data-urlencode` and `--json` of a command line, in their order.
struct DataPieces: Sendable {
  private let pieces: [Occurrence]
  private let context: Context

  init(_ invocation: Invocation, _ context: Context) {
    pieces = invocation.occurrences.filter { CallOptions.pieces.contains($0.option) }
    self.context = context
  }

  /// Whether there are none.
  var isEmpty: Bool { pieces.isEmpty }

  /// The body that they make up; a single file that is sent as it is isn't read before.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where a file can't be read.
  func body() throws(AuthError) -> RequestBody {
    if pieces.count == 1, let first = pieces.first, [CallOptions.dataBinary, CallOptions.json].contains(first.option),
      let path = DataPieces.path(first)
    {
      return try BodySource(path, context).body(readingAhead: true)
    }
    return .bytes(try content())
  }

  /// What they make up: joined by `&`, but for JSON.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where a file can't be read.
  func content() throws(AuthError) -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, piece) in pieces.enumerated() {
      if index > 0, piece.option != CallOptions.json { bytes.append(UInt8(ascii: "&")) }
      bytes += piece.option == CallOptions.dataURLEncode ? try encoded(piece.value ?? "") : try plain(piece)
    }
    return bytes
  }

  /// The file that a piece names; nil where it is the data itself.
  private static func path(_ piece: Occurrence) -> String? {
    guard piece.option != CallOptions.dataRaw, let value = piece.value, value.hasPrefix("@") else { return nil }
    return String(value.dropFirst())
  }

  private func plain(_ piece: Occurrence) throws(AuthError) -> [UInt8] {
    guard let path = DataPieces.path(piece) else { return Array((piece.value ?? "").utf8) }
    let bytes = try BodySource(path, context).content()
    guard [CallOptions.data, CallOptions.dataASCII].contains(piece.option) else { return bytes }
    // As in curl: a file of form data may end in, or be broken by, line ends that are not data.
    return bytes.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") && $0 != 0 }
  }

  /// The five forms of `--data-urlencode`: an `=` anywhere comes before an `@`.
  private func encoded(_ value: String) throws(AuthError) -> [UInt8] {
    let mark = value.firstIndex(of: "=") ?? value.firstIndex(of: "@")
    guard let mark else { return Array(FormEncoding.plusEncode(value.utf8).utf8) }
    let name = value[..<mark]
    let rest = String(value[value.index(after: mark)...])
    let content = value[mark] == "@" ? try BodySource(rest, context).content() : Array(rest.utf8)
    return Array(((name.isEmpty ? "" : name + "=") + FormEncoding.plusEncode(content)).utf8)
  }
}
