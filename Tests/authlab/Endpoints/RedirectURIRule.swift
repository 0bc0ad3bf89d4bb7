import Foundation

/// Which redirect URIs are accepted.
struct RedirectURIRule {
  /// The settings in force.
  let settings: Settings

  /// Compares as RFC 6749, section 3.1.2.3 says: as strings, but without the port on loopback (RFC 8252, section 7.3).
  func accepts(_ uri: String) -> Bool {
    guard let asked = URLComponents(string: uri), asked.scheme != nil, asked.fragment == nil else { return false }
    guard !settings.redirectUris.isEmpty else { return isLoopback(asked) }
    return settings.redirectUris.contains { registered in
      if registered == uri { return true }
      guard !settings.exactRedirectUri, isLoopback(asked), var other = URLComponents(string: registered) else {
        return false
      }
      other.port = asked.port
      return other == asked
    }
  }

  private func isLoopback(_ uri: URLComponents) -> Bool {
    uri.scheme == "http" && ["127.0.0.1", "localhost", "[::1]", "::1"].contains(uri.host ?? "")
  }
}
