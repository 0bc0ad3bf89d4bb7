/// An absolute `http` or `https` URL in a canonical form that every parser reads in the same way.
///
/// The string is strictly parsed once and rebuilt from its parts, so that the transport connects exactly to ``origin``.
/// Unambiguous variants are normalized: capitals, a default port, leading zeros of a port, a non-ASCII host (to its
/// `xn--` form), the spellings of an IP address. Text that parsers are known to read differently is refused: user
/// information, a backslash, white space, control characters, a percent sign in the host, the zone of an IPv6 address,
/// an octal number in an IPv4 address.
public struct WebURL: Sendable, Hashable {
  /// Scheme, host and port.
  public let origin: Origin
  /// The path with its leading slash, and the query with its `?`; non-ASCII characters are percent-encoded.
  public let pathAndQuery: String

  /// The whole URL, without a fragment.
  public var string: String { origin.string + pathAndQuery }

  /// The path alone.
  public var path: String { String(pathAndQuery.prefix(upToAny: "?")) }

  /// The query without its `?`; nil if there is none.
  public var query: String? {
    pathAndQuery.firstIndex(ofAny: "?").map { String(pathAndQuery.suffix(after: $0)) }
  }

  /// The reason why a string is not accepted as a URL.
  public struct Invalid: Error, Sendable, Equatable, CustomStringConvertible {
    /// The reason as a phrase that follows "is not a usable URL: ".
    public let description: String
  }

  /// Parses a URL.
  ///
  /// - Throws: ``Invalid`` with the reason.
  public init(_ string: String) throws(Invalid) {
    guard !string.isEmpty else { throw Invalid(description: "it is empty") }
    for scalar in string.unicodeScalars {
      guard scalar.value > 0x20, scalar.value != 0x7F, !(0x80...0x9F).contains(scalar.value) else {
        throw Invalid(description: "it contains white space or a control character (encode it, e.g. as %20)")
      }
      guard scalar != "\\" else { throw Invalid(description: "it contains a backslash") }
    }
    // Compares code points, as libcurl and every server do, so that a combining mark does not hide the character before
    // it.
    let scalars = string.unicodeScalars
    guard let schemeEnd = scalars.firstRange(of: "://".unicodeScalars) else {
      throw Invalid(description: "it has no scheme (https://…)")
    }
    let rest = scalars[schemeEnd.upperBound...]
    let authorityEnd = rest.firstIndex { "/?#".unicodeScalars.contains($0) } ?? rest.endIndex
    origin = try Origin(
      scheme: Substring(scalars[..<schemeEnd.lowerBound]), authority: Substring(rest[..<authorityEnd]))
    let tail = WebURL.encodingNonASCII(Substring(rest[authorityEnd...]).prefix(upToAny: "#"))
    pathAndQuery = (tail.starts(withBytes: "/") ? "" : "/") + tail
  }

  /// Creates the URL of a text that begins with an origin as ``Origin/string`` writes it, without parsing that again.
  ///
  /// It is nil for any other text, also for some that ``init(_:)`` accepts: with a fragment, not in ASCII.
  package init?(_ string: String, at origin: Origin) {
    let rest = string.utf8.dropFirst(origin.string.utf8.count)
    guard string.utf8.starts(with: origin.string.utf8), rest.first == UInt8(ascii: "/"),
      rest.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "\\") })
    else { return nil }
    self.init(origin: origin, pathAndQuery: String(Substring(rest)))
  }

  /// Creates a URL from its parts; `pathAndQuery` must have the form of ``pathAndQuery``.
  init(origin: Origin, pathAndQuery: String) {
    self.origin = origin
    self.pathAndQuery = pathAndQuery
  }

  /// The path without a trailing slash; empty for the root.
  package var folder: String { path.dropping(suffix: "/").map(String.init) ?? path }

  /// Returns the URL of a path below this one, separated by one slash.
  ///
  /// - Throws: ``Invalid`` if the path contains characters that are not allowed in a URL.
  package func appending(_ path: String) throws(Invalid) -> WebURL {
    try WebURL(origin.string + folder + "/" + path.drop(anyOf: "/"))
  }

  /// Returns the URL with further fields in its query; each name and value is form-encoded.
  public func appendingQuery(_ fields: [(name: String, value: String)]) -> WebURL {
    guard !fields.isEmpty else { return self }
    let isOpen = pathAndQuery.ends(withBytes: "?") || pathAndQuery.ends(withBytes: "&")
    let separator = query == nil ? "?" : (isOpen ? "" : "&")
    return WebURL(origin: origin, pathAndQuery: pathAndQuery + separator + FormEncoding.encode(fields))
  }

  /// Returns a text whose bytes above 0x7F are percent-encoded.
  package static func encodingNonASCII(_ text: some StringProtocol) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return String(text) }
    return text.utf8.reduce(into: "") { result, byte in
      if byte < 0x80 {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += byte.percentEncoded
      }
    }
  }
}

extension WebURL {
  /// The same URL with TLS, on the same port.
  package var overTLS: WebURL {
    // A URL that has been parsed has one with another scheme.
    (try? WebURL("https://\(origin.host):\(origin.port)\(pathAndQuery)")) ?? self
  }

  /// Returns the text of a URL as a person should judge it: with its host in ASCII, so that letters of other scripts do
  /// not look like another host (RFC 5891). Any other text is only escaped.
  package static func shown(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }), let url = try? WebURL(text) else { return Escaped.text(text) }
    return url.path == "/" && text.utf8.last != UInt8(ascii: "/") ? url.origin.string : url.description
  }
}

extension WebURL: CustomStringConvertible {
  /// The URL without its query, which may hold secrets.
  public var description: String { origin.string + path }
}
