public import FoundationEssentials

/// Keeps the password of a profile of `type = "basic"` and presents it as a pair. The access token is the text after
/// `Basic`; its lifetime is unknown.
struct StoredPassword: TokenStorage {
  private let store: any SecretStore
  private let item: SecretItem
  private let username: String
  private let now: @Sendable () -> Date

  /// Names the store, the profile and its user.
  init(_ store: any SecretStore, profile: Profile, now: @escaping @Sendable () -> Date) {
    self.store = store
    item = SecretItem(profile: profile.name.string, kind: .password)
    username = profile.username ?? ""
    self.now = now
  }

  func load() async throws(AuthError) -> TokenPair? {
    guard let password = try await store.load(item) else { return nil }
    guard let credentials = BasicCredentials(username: username, password: password) else {
      throw .storage(
        .damaged,
        .init(
          "the stored password of \(item.profile)", why: "it contains a control character",
          remedy: .logIn(session: item.profile)))
    }
    return TokenPair(credentials, issuedAt: now())
  }

  func save(_ pair: TokenPair) async throws(AuthError) {
    guard let credentials = BasicCredentials(encoded: pair.accessToken) else {
      throw .failed(.init("storing the password", why: "not a password", hint: "report this as a bug"))
    }
    try await store.save(credentials.password, as: item)
  }

  func clear() async throws(AuthError) {
    try await store.clear(item)
  }
}

extension TokenPair {
  /// The credentials as a pair that never expires and is never refreshed.
  public init(_ credentials: BasicCredentials, issuedAt: Date) {
    self.init(accessToken: credentials.encoded, tokenType: "Basic", issuedAt: issuedAt)
  }

  /// Tells two access tokens apart in what is shown; a password has no fingerprint, for it could be guessed by it.
  var fingerprint: String { tokenType == "Basic" ? "(password)" : accessToken.fingerprint }
}
