/// The tokens of the five kinds.
extension LabState {
  /// Takes a new user in and issues the first tokens.
  /// - Throws: `CryptoKitError` when a signature can't be made.
  func register(_ user: KindUser, at kind: Kind) throws -> (subject: String, tokens: TokenResponse) {
    let subject = user.email ?? "guest-\(kindUsers.count + 1)"
    kindUsers[subject] = user
    return (subject, try issue(to: subject, at: kind))
  }

  /// Issues the first tokens of a login.
  /// - Throws: `OAuthError` when name or password is wrong, `CryptoKitError` when a signature can't be made.
  func logIn(_ name: String, password: String, at kind: Kind) throws -> TokenResponse {
    guard users[name]?.password == password || kindUsers[name]?.password == password else {
      throw OAuthError("invalid_credentials", "The name or the password is wrong.")
    }
    return try issue(to: name, at: kind)
  }

  /// Issues the first tokens of somebody who has proved who they are.
  /// - Throws: `CryptoKitError` when a signature can't be made.
  func issue(to subject: String, at kind: Kind) throws -> TokenResponse {
    try issue(startFamily(subject: subject, clientID: kind.name, scope: ["api"]), withRefreshToken: true)
  }

  /// Exchanges a refresh token.
  /// - Throws: `OAuthError` that says why not.
  func refresh(_ token: String, at kind: Kind) throws -> (subject: String, tokens: TokenResponse) {
    let form = FormFields("refresh_token=" + FormFields.encode(token))
    let tokens = try refresh(form, client: Client(id: kind.name, secret: nil))
    return (refreshTokens[token].flatMap { families[$0.family]?.subject } ?? "", tokens)
  }

  /// Who a subject is; one that never registered has a name only.
  func kindUser(_ subject: String) -> KindUser {
    kindUsers[subject] ?? KindUser(name: subject)
  }
}
