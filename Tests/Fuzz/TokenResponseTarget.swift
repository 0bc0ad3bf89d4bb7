@testable import AuthCore

/// The response of a token endpoint, and what is made of it.
enum TokenResponseTarget: FuzzTarget {
  static let name = "token-response"

  static func check(_ bytes: [UInt8]) {
    guard let document = try? JSONValue(parsing: bytes) else { return }
    do {
      requireUsable(try TokenResponse(document))
    } catch {
      requireShowable(error.reason)
      require(error.reason.utf8.count < 100, "a reason that quotes nothing: \(error.reason)")
    }
  }

  /// Requires that no token can change the header that carries it, and that every lifetime is one.
  private static func requireUsable(_ response: TokenResponse) {
    for token in [response.accessToken, response.refreshToken, response.idToken].compactMap({ $0 }) {
      require(!token.exposed.isEmpty && token.exposed.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "a token")
      require(!"\(token)".contains(token.exposed) || token.exposed.utf8.count < 8, "a secret does not print")
    }
    for lifetime in [response.expiresIn, response.refreshExpiresIn].compactMap({ $0 }) {
      require(lifetime > 0 && lifetime <= 1e10, "a lifetime: \(lifetime)")
    }
    if let claims = JSONWebToken(unverified: response.accessToken)?.claims {
      require(claims.string == nil, "claims are an object")
    }
  }
}
