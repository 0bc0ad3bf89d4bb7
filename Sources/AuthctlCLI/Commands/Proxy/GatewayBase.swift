import AuthCore

/// The address at the API to which the paths of requests are appended.
struct GatewayBase: Sendable {
  /// The reason why a target is refused.
  struct Refusal: Error, Equatable {
    let why: String
  }

  /// The URL at the API; its path is the beginning of all paths.
  let url: WebURL

  /// Returns the URL for the target of a request, whose bytes are kept.
  ///
  /// - Parameter target: a path that begins with a slash, and a query, without the key.
  /// - Throws: ``Refusal`` if it could lead elsewhere.
  func url(for target: some StringProtocol) throws(Refusal) -> WebURL {
    guard target.starts(withBytes: "/") else { throw Refusal(why: "the target is not a path") }
    let path = target.prefix(upToAny: "?")
    guard !GatewayBase.hasDots(path) else { throw Refusal(why: "the path has a segment . or ..") }
    guard let result = WebURL(url.origin.string + url.folder + target, at: url.origin) else {
      throw Refusal(why: "the target is not usable in a URL")
    }
    return result
  }

  /// Returns the path and the query below the base for a reference of the API; nil if it leads elsewhere.
  ///
  /// - Parameter reference: a whole URL, or a path with a leading slash.
  func rest(of reference: some StringProtocol) -> Substring? {
    let text = String(reference)
    let isRooted = text.starts(withBytes: "/") && !text.starts(withBytes: "//")
    guard isRooted || text.contains(bytes: "://"), let found = try? WebURL(isRooted ? url.origin.string + text : text),
      found.origin == url.origin, let rest = found.pathAndQuery.dropping(prefix: url.folder),
      rest.isEmpty || rest.starts(withBytes: "/") || rest.starts(withBytes: "?")
    else { return nil }
    // `WebURL` drops a fragment.
    return rest + (text.firstIndex(ofAny: "#").map { text[$0...] } ?? "")
  }

  /// Whether a path has a segment that a server could read as `.` or `..`, encoded or followed by parameters.
  private static func hasDots(_ path: some StringProtocol) -> Bool {
    let plain = path.lowercased().replacing(bytes: "%2e", with: ".").replacing(bytes: "%2f", with: "/")
      .replacing(bytes: "%5c", with: "/").replacing(bytes: "%3b", with: ";")
    return plain.split(atAny: "/").contains { segment in
      let name = segment.prefix(upToAny: ";")
      return name.isEqual(toBytes: ".") || name.isEqual(toBytes: "..")
    }
  }
}
