/// An absolute `http` or `https` URL in the one form in which every parser reads it alike.
///
/// The string is strictly parsed once and rebuilt from its parts, so that the transport connects to exactly what
/// ``origin`` states. What every parser reads alike is normalized: capitals, a default port, zeros before a port, a
/// host beyond ASCII (to its `xn--` form), the spellings of an IP address. Whatever parsers are known to read
/// differently is refused instead of being interpreted: user information, a backslash, white space, control characters,
/// a percent sign in the host, the zone of an IPv6 address, an octal number in an IPv4 address.
public struct WebURL: Sendable, Hashable {
  /// Scheme, host and port.
  public let origin: Origin
  /// The path with its leading slash, and the query with its `?`; characters beyond ASCII are percent-encoded.
  public let pathAndQuery: String

  /// The whole URL, without a fragment.
  public var string: String { origin.string + pathAndQuery }

  /// The path alone.
  public var path: String { String(pathAndQuery.prefix { $0 != "?" }) }

  /// The query without its `?`; nil where there is none.
  public var query: String? {
    pathAndQuery.firstIndex(of: "?").map { String(pathAndQuery[pathAndQuery.index(after: $0)...]) }
  }

  /// Why a string is not taken as a URL.
  public struct Invalid: Error, Sendable, Equatable, CustomStringConvertible {
    /// The reason in words, to be put after "is not a usable URL: ".
    public let description: String
  }

  /// Takes a URL apart.
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
    // By code points, as libcurl and every server read it: a combining mark hides no sign that it stands behind.
    let scalars = string.unicodeScalars
    guard let schemeEnd = scalars.firstRange(of: "://".unicodeScalars) else {
      throw Invalid(description: "it has no scheme (https://…)")
    }
    let rest = scalars[schemeEnd.upperBound...]
    let authorityEnd = rest.firstIndex { "/?#".unicodeScalars.contains($0) } ?? rest.endIndex
    origin = try Origin(
      scheme: Substring(scalars[..<schemeEnd.lowerBound]), authority: Substring(rest[..<authorityEnd]))
    let tail = WebURL.encodingNonASCII(Substring(rest[authorityEnd...].prefix { $0 != "#" }))
    pathAndQuery = (tail.hasPrefix("/") ? "" : "/") + tail
  }

  /// Puts a URL together; `pathAndQuery` must be what ``pathAndQuery`` of another URL is.
  init(origin: Origin, pathAndQuery: String) {
    self.origin = origin
    self.pathAndQuery = pathAndQuery
  }

  /// The path without a slash at its end; empty for the root.
  package var folder: String { path.hasSuffix("/") ? String(path.dropLast()) : path }

  /// The URL of a path below this one, with one slash between.
  ///
  /// - Throws: ``Invalid`` if the path has characters that no URL has.
  package func appending(_ path: String) throws(Invalid) -> WebURL {
    try WebURL(origin.string + folder + "/" + path.drop { $0 == "/" })
  }

  /// The same URL with further fields in its query, each name and value form-encoded.
  public func appendingQuery(_ fields: [(name: String, value: String)]) -> WebURL {
    guard !fields.isEmpty else { return self }
    let separator = query == nil ? "?" : (pathAndQuery.hasSuffix("?") || pathAndQuery.hasSuffix("&") ? "" : "&")
    return WebURL(origin: origin, pathAndQuery: pathAndQuery + separator + FormEncoding.encode(fields))
  }

  private static func encodingNonASCII(_ text: some StringProtocol) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return String(text) }
    return text.utf8.reduce(into: "") { result, byte in
      if byte < 0x80 {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "%" + String(byte, radix: 16, uppercase: true)
      }
    }
  }
}

extension WebURL: CustomStringConvertible {
  /// The URL without its query, which may hold secrets.
  public var description: String { origin.string + path }
}
