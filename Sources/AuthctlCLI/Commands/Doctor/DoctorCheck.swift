/// A check of `doctor`. The order of the cases is the order of the report; the raw value is the word in it.
enum DoctorCheck: String, Sendable, CaseIterable {
  case bus, keyring, collection, unlocked, store, lock, files, clock, dns, proxy, connection, tls, metadata, client,
    redirect, scope, session, api, settings

  /// The object of the check, as a phrase.
  var summary: String {
    switch self {
    case .bus: "the D-Bus session bus responds"
    case .keyring: "a Secret Service runs on it"
    case .collection: "it has a default collection"
    case .unlocked: "the collection is unlocked"
    case .store: "the session file can be opened with its key and written, with `store = \"file\"`"
    case .lock: "the lock files can be created and locked"
    case .files: "no other user can change the profiles, or `config.toml`"
    case .clock: "the local clock is right within a minute, by the `Date` of the servers"
    case .dns: "the names of the servers are known"
    case .proxy: "the proxy works, if one is set"
    case .connection: "the authorization server responds"
    case .tls: "the certificates of the servers are trusted, and `SSLKEYLOGFILE` is not set"
    case .metadata: "the server's metadata is for exactly the profile's issuer, and has what the flow needs"
    case .client: "the server knows the client, and accepts its secret"
    case .redirect: "the server accepts the redirect URI of a browser login, and its port is free"
    case .scope: "the server has granted the scope of the profile, and the API requires no other"
    case .session: "there are tokens, which are valid or can be refreshed, and which fit the profile"
    case .api: "the API responds, requires the kind of token that the profile sends, and accepts the token"
    case .settings: "the settings of the profile are complete, and safe; see `profile show`"
    }
  }

  /// Whether the check sends requests.
  var isOnline: Bool {
    [.clock, .dns, .proxy, .connection, .tls, .metadata, .client, .redirect, .scope, .api].contains(self)
  }

  /// The checks as a list of the manual.
  static var markup: String {
    allCases.map { "- `\($0.rawValue)`\($0.isOnline ? " *" : ""): \($0.summary)." }.joined(separator: "\n")
  }

  /// The position in the report.
  var position: Int { DoctorCheck.allCases.firstIndex(of: self) ?? 0 }
}
