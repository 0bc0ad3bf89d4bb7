/// A web origin (RFC 6454): scheme, host and port. A token is sent only to the origins of its profile.
public struct Origin: Sendable, Hashable {
  /// The supported schemes.
  public enum Scheme: String, Sendable {
    /// Plain HTTP: for loopback only.
    case http
    /// HTTP over TLS.
    case https

    /// The port if the URL has none.
    public var defaultPort: Int { self == .https ? 443 : 80 }
  }

  /// `http` or `https`.
  public let scheme: Scheme
  /// The host in its canonical form: a name in lower case, a non-ASCII name in its `xn--` form, an IPv4 address as four
  /// decimal numbers, an IPv6 address in brackets in the form of RFC 5952.
  public let host: String
  /// The port; the scheme's default if the URL has none.
  public let port: Int

  /// The origin as the start of a URL, without a default port and without a trailing slash.
  public let string: String

  /// Whether the host is this machine: `localhost`, 127.0.0.0/8 in dotted form, or `[::1]`.
  public var isLoopback: Bool {
    host == "localhost" || host == "[::1]" || host[...].isIPv4Loopback
  }

  /// Whether credentials may be sent to it: over TLS, or to this machine.
  public var isSecure: Bool { scheme == .https || isLoopback }

  /// Reads scheme and authority of a URL.
  ///
  /// - Throws: ``WebURL/Invalid`` with the reason.
  init(scheme: some StringProtocol, authority: some StringProtocol) throws(WebURL.Invalid) {
    guard let known = Scheme(rawValue: scheme.lowercased()) else {
      throw WebURL.Invalid(description: "its scheme is neither https nor http")
    }
    guard !authority.contains(bytes: "@") else {
      throw WebURL.Invalid(description: "it contains user information (…@)")
    }
    let hostEnd: String.Index
    if authority.starts(withBytes: "[") {
      guard let close = authority.firstIndex(ofAny: "]") else {
        throw WebURL.Invalid(description: "its IPv6 address has no closing bracket")
      }
      let inside = String(authority[..<close].suffix(after: authority.startIndex))
      guard let address = IPv6Address(inside) else {
        throw WebURL.Invalid(description: "its IPv6 address is malformed (zones are not supported)")
      }
      host = "[\(address)]"
      hostEnd = authority.suffix(after: close).startIndex
    } else {
      hostEnd = authority.firstIndex(ofAny: ":") ?? authority.endIndex
      host = try HostName.canonical(String(authority[..<hostEnd]))
    }
    self.scheme = known
    port = try Origin.port(String(authority[hostEnd...])) ?? known.defaultPort
    string = "\(known.rawValue)://\(host)" + (port == known.defaultPort ? "" : ":\(port)")
  }

  /// Reads `:` and digits, which may have leading zeros.
  private static func port(_ text: String) throws(WebURL.Invalid) -> Int? {
    guard !text.isEmpty, text != ":" else { return nil }
    guard let digits = text.dropping(prefix: ":"), digits.allSatisfy({ $0.isASCII && $0.isNumber }),
      let port = Int(digits),
      (1...65535).contains(port)
    else { throw WebURL.Invalid(description: "its port is not a number from 1 to 65535") }
    return port
  }
}

extension Origin: CustomStringConvertible {
  /// The origin as the start of a URL.
  public var description: String { string }
}
