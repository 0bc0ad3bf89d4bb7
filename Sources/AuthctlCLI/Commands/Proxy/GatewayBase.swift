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
  /// - Parameter target: a path that is empty or begins with a slash, and a query, without the key. The empty path is
  ///   that of ``url``.
  /// - Throws: ``Refusal`` if it could lead elsewhere.
  func url(for target: some StringProtocol) throws(Refusal) -> WebURL {
    let path = target.prefix(upToAny: "?")
    guard path.isEmpty || path.starts(withBytes: "/") else { throw Refusal(why: "the target is not a path") }
    guard !GatewayBase.hasDots(path) else { throw Refusal(why: "the path has a segment . or ..") }
    let folder = path.isEmpty ? url.path : url.folder
    guard let result = WebURL(url.origin.string + folder + target, at: url.origin) else {
      throw Refusal(why: "the target is not usable in a URL")
    }
    return result
  }

  /// Returns the path and the query below the base for a URL of the API; nil if it leads elsewhere.
  func rest(of text: String) -> Substring? {
    guard let found = try? WebURL(text), found.origin == url.origin,
      let rest = found.pathAndQuery.dropping(prefix: url.folder),
      rest.isEmpty || rest.starts(withBytes: "/") || rest.starts(withBytes: "?"),
      !GatewayBase.hasDots(rest.prefix(upToAny: "?"))
    else { return nil }
    // `WebURL` drops a fragment.
    return rest + (text.firstIndex(ofAny: "#").map { text[$0...] } ?? "")
  }

  /// Returns the whole URL for a reference of the API that has none: `/path`, or `//host/path` (RFC 3986, section 4.2);
  /// nil for one that is relative to the path.
  func absolute(_ reference: some StringProtocol) -> String? {
    guard reference.starts(withBytes: "/") else {
      // Of what is relative, a colon comes after a slash, or is encoded (RFC 3986, section 4.2).
      let head = reference.prefix(upToAny: "/?#")
      return head.ends(withBytes: ":") && reference.contains(bytes: "://") ? String(reference) : nil
    }
    return (reference.starts(withBytes: "//") ? url.origin.scheme.rawValue + ":" : url.origin.string) + reference
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
