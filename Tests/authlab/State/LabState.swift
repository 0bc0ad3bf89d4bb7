import Foundation

/// All that the server remembers. What must happen at once happens in one turn of this actor.
actor LabState {
  /// The scheme, host and port of the server.
  nonisolated let origin: String
  /// The keys of ID tokens and JWT access tokens.
  var signer = TokenSigner()
  /// The keys before the last change.
  var formerSigner: TokenSigner?
  /// The nonce that proofs must have where they need one.
  var dpopNonce = RandomToken.make()
  /// How often it was used.
  var dpopNonceUses = 0
  /// The identifiers of the proofs that were used.
  var usedProofs: Set<String> = []
  /// The clients of the command line by their identifier.
  let configuredClients: [String: Client]
  /// The users by their name.
  nonisolated let users: [String: User]
  private let initialSettings: Settings
  private nonisolated let clock: @Sendable () -> Date

  /// The settings in force.
  var settings: Settings
  /// The faults that wait for their request, the oldest first.
  var faults: [Fault] = []
  /// How often the faults were cleared.
  var faultEra = 0
  /// The delays of requests that wait.
  var delays: [UUID: Task<Void, Never>] = [:]
  /// How often each thing happened.
  var counters: [String: Int] = [:]
  /// The last requests, the newest last.
  var records = RequestLog()

  /// The families by their number.
  var families: [Int: TokenFamily] = [:]
  /// The access tokens that were issued.
  var accessTokens: [String: AccessToken] = [:]
  /// The refresh tokens that were issued.
  var refreshTokens: [String: RefreshToken] = [:]
  /// The authorization codes that were issued.
  var codes: [String: AuthorizationCode] = [:]
  /// The device authorizations by their device code.
  var devices: [String: DeviceGrant] = [:]
  /// Who has registered with one of the kinds, by subject.
  var kindUsers: [String: KindUser] = [:]
  /// The authorization requests whose page is open.
  var pending: [String: AuthorizationRequest] = [:]

  /// The pushed authorization requests that no browser has brought yet, by their `request_uri`.
  var pushed: [String: PushedRequest] = [:]
  /// The clients that have registered, by their identifier.
  var registrations: [String: Registration] = [:]
  /// The clients with a document, by its address.
  var documents: [String: Client] = [:]
  /// The `jti` of all assertions that were taken.
  var assertionIDs: Set<String> = []

  /// Starts with no tokens; `clock` is the machine's time.
  init(origin: String, options: LabOptions, clock: @escaping @Sendable () -> Date = { Date() }) {
    self.clock = clock
    self.origin = origin
    settings = options.settings
    initialSettings = options.settings
    configuredClients = Dictionary(options.clients.map { ($0.id, $0) }) { $1 }
    users = Dictionary(options.users.map { ($0.name, $0) }) { $1 }
  }

  /// The issuer identifier (RFC 8414, section 2).
  var issuer: String {
    let issuer = origin + settings.issuerPath
    return settings.announcedIssuer == issuer + "/" ? settings.announcedIssuer : issuer
  }

  /// The machine's time, in seconds since 1970.
  nonisolated var now: Double { clock().timeIntervalSince1970 }

  /// The time that the server claims, in seconds since 1970.
  func wallClock() -> Double { now + settings.clockOffset }

  /// Raises a counter.
  func count(_ name: String) {
    counters[name, default: 0] += 1
  }

  /// Reports an incident on stderr, if the log is on.
  func note(_ message: String) {
    guard settings.log else { return }
    FileHandle.standardError.write(Data("authlab: \(message)\n".utf8))
  }

  /// Replaces settings by those that a JSON object names.
  /// - Throws: `SettingsError` that says which member can't be used.
  func change(_ patch: Data) throws {
    settings = try settings.replacing(with: patch)
  }

  /// Forgets counters, records and faults; with `everything` the tokens and the changed settings as well.
  func reset(everything: Bool) {
    counters = [:]
    records = RequestLog()
    faults = []
    guard everything else { return }
    settings = initialSettings
    families = [:]
    accessTokens = [:]
    refreshTokens = [:]
    codes = [:]
    devices = [:]
    kindUsers = [:]
    pending = [:]
    pushed = [:]
    registrations = [:]
    documents = [:]
    assertionIDs = []
  }
}
