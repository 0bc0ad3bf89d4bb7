/// All tokens that descend from one grant (RFC 9700, section 4.14.2).
struct TokenFamily: Sendable {
  /// Who granted; the client itself for client credentials.
  let subject: String
  /// The client that the tokens were issued to.
  let clientID: String
  /// The scope that was granted at first, the widest that a refresh can get.
  let scope: [String]
  /// The time of the login, in seconds since 1970.
  let authenticatedAt: Double
  /// How the person has logged in (`acr`); nil where nobody asked for a way.
  var acr: String?
  /// Where its tokens may be used (RFC 8707); everywhere when empty.
  var resources: [String] = []
  /// The key that its tokens are bound to, by its thumbprint (RFC 9449, section 5).
  var thumbprint: String?
  /// Whether all its tokens are dead.
  var isRevoked = false
}
