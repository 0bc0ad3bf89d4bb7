/// A redirect URI on the loopback interface (RFC 8252, section 7.3).
package struct RedirectURI: Sendable, Hashable {
  /// `127.0.0.1`, `localhost` or `[::1]`: servers compare it as text.
  package let host: String
  /// The fixed port; nil for any free port.
  package let port: Int?
  /// The path, which may be empty, exactly as registered.
  package let path: String

  /// `http://127.0.0.1/callback` on any free port.
  package static let standard = RedirectURI(host: "127.0.0.1", port: nil, path: "/callback")

  /// The ports that a client registers, because many servers compare redirect URIs as text, port included.
  package static let registeredPorts = [8085, 18085, 28085]

  /// Returns the redirect URIs that a client registers: the standard one, and the same on fixed ports.
  package static func registered(on ports: [Int]) -> [RedirectURI] {
    [standard] + ports.map { RedirectURI(host: standard.host, port: $0, path: standard.path) }
  }

  /// The same URI on the host `localhost`, for servers that accept no address.
  var onLocalhost: RedirectURI { RedirectURI(host: "localhost", port: port, path: path) }

  private init(host: String, port: Int?, path: String) {
    self.host = host
    self.port = port
    self.path = path
  }

  /// Parses `http://HOST[:PORT][/PATH]`.
  ///
  /// - Throws: ``WebURL/Invalid`` if it is not a loopback URI that a listener can serve.
  package init(_ string: String) throws(WebURL.Invalid) {
    let url = try WebURL(string)
    // Servers compare text: for them, an address in another spelling (127.1) is a different one.
    guard url.origin.scheme == .http, ["127.0.0.1", "localhost", "[::1]"].contains(url.origin.host),
      string.lowercased().starts(withBytes: url.origin.scheme.rawValue + "://" + url.origin.host)
    else {
      throw WebURL.Invalid(description: "it is not http://127.0.0.1, http://localhost or http://[::1]")
    }
    guard url.query == nil, !string.contains(bytes: "#"), string.utf8.allSatisfy({ $0 < 0x80 }) else {
      throw WebURL.Invalid(description: "it has a query, a fragment or characters beyond ASCII")
    }
    let rest = Substring(string.utf8.dropFirst("http://".utf8.count))
    let authority = rest.prefix(upToAny: "/")
    host = url.origin.host
    // Port 80 may be explicit or the default: only the text shows which.
    port = authority.utf8.count == host.utf8.count ? nil : url.origin.port
    path = String(rest[authority.endIndex...])
  }

  /// The URI as written in a profile.
  package var string: String { "http://\(host)" + (port.map { ":\($0)" } ?? "") + path }

  /// Returns the URI with the port of the listener.
  package func string(port: Int) -> String { "http://\(host):\(port)\(path)" }
}
