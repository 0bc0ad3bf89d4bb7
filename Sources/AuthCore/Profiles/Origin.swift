/// A web origin (RFC 6454): scheme, host and port. A token goes to the origins of its profile and nowhere else.
public struct Origin: Sendable, Hashable {
  /// The two schemes that are understood.
  public enum Scheme: String, Sendable {
    /// Plain HTTP: for loopback only.
    case http
    /// HTTP over TLS.
    case https

    /// The port where none is given.
    public var defaultPort: Int { self == .https ? 443 : 80 }
  }

  /// `http` or `https`.
  public let scheme: Scheme
  /// The host in lower case; an IPv6 address keeps its brackets.
  public let host: String
  /// The port, the scheme's default where the URL has none.
  public let port: Int

  /// The origin as the start of a URL: without a port where it is the default, without a slash at the end.
  public var string: String {
    "\(scheme.rawValue)://\(host)" + (port == scheme.defaultPort ? "" : ":\(port)")
  }

  /// Tells whether the host is this machine itself: `localhost`, 127.0.0.0/8 in dotted form, or `[::1]`.
  public var isLoopback: Bool {
    if host == "localhost" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil && !$0.contains("-") }
  }

  /// Tells whether credentials may be sent to it: over TLS, or to this machine.
  public var isSecure: Bool { scheme == .https || isLoopback }

  /// Reads scheme and authority of a URL.
  ///
  /// - Throws: ``WebURL/Invalid`` with the reason.
  init(scheme: some StringProtocol, authority: some StringProtocol) throws(WebURL.Invalid) {
    guard let known = Scheme(rawValue: scheme.lowercased()) else {
      throw WebURL.Invalid(description: "its scheme is neither https nor http")
    }
    guard !authority.contains("@") else {
      throw WebURL.Invalid(description: "it has user information (…@) in it")
    }
    let hostEnd: String.Index
    if authority.hasPrefix("[") {
      guard let close = authority.firstIndex(of: "]") else {
        throw WebURL.Invalid(description: "its IPv6 address has no closing bracket")
      }
      let inside = authority[authority.index(after: authority.startIndex)..<close]
      guard inside.contains(":"), inside.allSatisfy({ $0.isASCII && ($0.isHexDigit || $0 == ":" || $0 == ".") }) else {
        throw WebURL.Invalid(description: "its IPv6 address is malformed (a zone is not taken)")
      }
      hostEnd = authority.index(after: close)
    } else {
      hostEnd = authority.firstIndex(of: ":") ?? authority.endIndex
      try Origin.checkName(authority[..<hostEnd])
    }
    self.scheme = known
    host = authority[..<hostEnd].lowercased()
    port = try Origin.port(authority[hostEnd...]) ?? known.defaultPort
  }

  private static func checkName(_ name: some StringProtocol) throws(WebURL.Invalid) {
    guard !name.isEmpty else { throw WebURL.Invalid(description: "it has no host") }
    guard name.allSatisfy({ $0.isASCII }) else {
      throw WebURL.Invalid(description: "its host is not ASCII (write an international name in its xn-- form)")
    }
    guard name.allSatisfy({ $0.isLetter || $0.isNumber || "-._".contains($0) }), !name.hasPrefix("."),
      !name.contains("..")
    else {
      throw WebURL.Invalid(description: "its host is malformed")
    }
  }

  private static func port(_ text: some StringProtocol) throws(WebURL.Invalid) -> Int? {
    guard !text.isEmpty, text != ":" else { return nil }
    guard text.first == ":", text.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }),
      let port = Int(text.dropFirst()),
      (1...65535).contains(port)
    else { throw WebURL.Invalid(description: "its port is not a number from 1 to 65535") }
    return port
  }
}

extension Origin: CustomStringConvertible {
  /// The origin as the start of a URL.
  public var description: String { string }
}
