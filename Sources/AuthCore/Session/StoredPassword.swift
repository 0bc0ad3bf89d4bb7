public import FoundationEssentials

/// Stores the password of a profile with `type = "basic"` and returns it as a pair. The access token is the text after
/// `Basic`; its lifetime is unknown.
struct StoredPassword: TokenStorage {
  private let store: any SecretStore
  private let item: SecretItem
  private let username: String
  private let now: @Sendable () -> Date

  /// Creates a storage for the password of a profile.
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
        .damaged, "the stored password of \(item.profile)", why: "it contains a control character",
        remedy: .logIn(session: item.profile))
    }
    return TokenPair(credentials, issuedAt: now())
  }

  func save(_ pair: TokenPair) async throws(AuthError) {
    guard let credentials = BasicCredentials(encoded: pair.accessToken) else {
      throw .failed("storing the password", why: "not a password", hint: "report this as a bug")
    }
    try await store.save(credentials.password, as: item)
  }

  func clear() async throws(AuthError) {
    try await store.clear(item)
  }
}

extension TokenPair {
  /// Creates a pair from the credentials; it never expires and is never refreshed.
  public init(_ credentials: BasicCredentials, issuedAt: Date) {
    self.init(accessToken: credentials.encoded, tokenType: "Basic", issuedAt: issuedAt)
  }

  /// Identifies an access token in output. A password has no fingerprint, because it could be guessed from one.
  var fingerprint: String { tokenType == "Basic" ? "(password)" : accessToken.fingerprint }
}
