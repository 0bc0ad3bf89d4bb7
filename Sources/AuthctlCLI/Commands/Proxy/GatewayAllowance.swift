import AuthCore

/// One `--allow 'METHOD PATH'`: the requests that pass.
struct GatewayAllowance: Sendable, Equatable {
  /// The method; nil for each.
  private let method: String?
  /// The segments of the path: texts in which `*` stands for any bytes, or `**` for any number of segments.
  private let segments: [String]

  /// Reads a pattern: `GET /v1/*`, `* /public/**`.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if it is invalid.
  init(_ text: String) throws(AuthError) {
    let words = text.split(atAny: " ")
    guard words.count == 2, words[1].starts(withBytes: "/"), GatewayAllowance.isMethod(words[0]),
      !words[1].contains(anyOf: "?#%")
    else {
      throw .usage(
        "--allow '\(Escaped.text(text, limit: 80))'", why: "it is not a method and a path",
        hint: "for example --allow 'GET /v1/*': * stands for anything within a segment, ** for any number of them")
    }
    method = words[0].isEqual(toBytes: "*") ? nil : String(words[0])
    segments = GatewayAllowance.segments(of: words[1])
  }

  /// Whether a request passes. A path with an encoded slash never does: the API may read it as two segments.
  ///
  /// - Parameter path: the path below the base, with its leading slash and without its query.
  func permits(_ method: String, _ path: some StringProtocol) -> Bool {
    guard self.method.map({ $0.isEqual(toBytes: method) }) ?? true else { return false }
    let lower = path.lowercased()
    guard !lower.contains(bytes: "%2f"), !lower.contains(bytes: "%5c") else { return false }
    return GatewayAllowance.match(segments[...], GatewayAllowance.segments(of: path)[...])
  }

  private static func isMethod(_ text: some StringProtocol) -> Bool {
    text.isEqual(toBytes: "*")
      || text.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 || $0 == UInt8(ascii: "-") }
  }

  private static func segments(of path: some StringProtocol) -> [String] {
    path.split(atAny: "/", omittingEmptySubsequences: false).dropFirst().map { String($0) }
  }

  private static func match(_ pattern: ArraySlice<String>, _ path: ArraySlice<String>) -> Bool {
    var (pattern, path) = (pattern, path)
    while let first = pattern.first, !first.isEqual(toBytes: "**") {
      guard let segment = path.first, match(first, segment) else { return false }
      pattern = pattern.dropFirst()
      path = path.dropFirst()
    }
    guard pattern.first != nil else { return path.isEmpty }
    let rest = pattern.dropFirst()
    return path.indices.contains { match(rest, path[$0...]) } || match(rest, [])
  }

  /// Whether a segment has the parts between the stars of a pattern, in order: the first at its beginning, the last at
  /// its end.
  private static func match(_ pattern: String, _ segment: String) -> Bool {
    var parts = pattern.split(atAny: "*", omittingEmptySubsequences: false)[...]
    guard let first = parts.popFirst(), var rest = segment.dropping(prefix: first) else { return false }
    guard let last = parts.popLast() else { return rest.isEmpty }
    for part in parts where !part.isEmpty {
      guard let found = rest.firstRange(ofBytes: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.ends(withBytes: last)
  }
}

extension [GatewayAllowance] {
  /// Whether a request passes: all do if there is no pattern. An empty path is that of the root.
  func permit(_ method: String, _ path: some StringProtocol) -> Bool {
    isEmpty || contains { path.isEmpty ? $0.permits(method, "/") : $0.permits(method, path) }
  }
}
