import Foundation

/// Which redirect URIs are accepted.
struct RedirectURIRule {
  /// The settings in force.
  let settings: Settings
  /// Who asks.
  let client: Client

  /// Compares as RFC 6749, section 3.1.2.3 says: as strings, but without the port on loopback (RFC 8252, section 7.3).
  func accepts(_ uri: String) -> Bool {
    guard let asked = URLComponents(string: uri), asked.scheme != nil, asked.fragment == nil else { return false }
    let registeredURIs = client.metadata?.redirectUris ?? settings.redirectUris
    guard client.metadata != nil || !registeredURIs.isEmpty else { return Self.isLoopback(asked) }
    return registeredURIs.contains { registered in
      if registered == uri { return true }
      guard !settings.exactRedirectUri, Self.isLoopback(asked), var other = URLComponents(string: registered) else {
        return false
      }
      other.port = asked.port
      return other == asked
    }
  }

  /// Whether a client may register this (RFC 8252, sections 7.2 and 7.3).
  static func canBeRegistered(_ uri: String) -> Bool {
    guard let parts = URLComponents(string: uri), parts.fragment == nil, parts.host != nil else { return false }
    return parts.scheme == "https" || isLoopback(parts)
  }

  private static func isLoopback(_ uri: URLComponents) -> Bool {
    uri.scheme == "http" && ["127.0.0.1", "localhost", "[::1]", "::1"].contains(uri.host ?? "")
  }
}
