import AuthCore
import FoundationEssentials
import SystemPackage

/// A profile that `status --watch` observes: its file and its session, as they were read last.
struct WatchedProfile {
  /// The name of the profile.
  let name: ProfileName
  /// Why the file or the session can't be read; nil if both can.
  private(set) var error: AuthError?
  /// Whether the profile still has a file.
  private(set) var hasFile = true
  private let context: Context
  private var profile: Profile?
  private var session: TokenSession?
  private var pair: TokenPair?
  /// Whether the pair was ever read: only then a later one is compared with it.
  private var wasRead = false
  private var lastFailure: BootTime?

  /// Reads a profile.
  init(_ name: ProfileName, _ context: Context) async {
    self.name = name
    self.context = context
    lastFailure = RecentFailure(in: context.lockFile(name))?.failedAt
    await read(withFile: true)
  }

  /// The name of the profile's lock file in the folder of the locks.
  var lockName: String { context.lockFile(name).lastComponent?.string ?? "" }

  /// Whether the session is in the keyring, as far as the profile can be read.
  var usesKeyring: Bool { profile?.store == .keyring }

  /// Whether files with these names in the folder of the session files belong to the session.
  func isAbout(sessionFiles names: Set<String>) -> Bool {
    !names.isDisjoint(with: SealedFileStore.names(of: name.string))
  }

  /// The state of the session now, from what was read last.
  var state: ProfileStatus.State { status?.state ?? .unavailable }

  /// When the access token expires; nil if there is none, or its expiry is unknown.
  var expiresAt: Date? { status?.expiresAt }

  /// The seconds that are left of the access token and of the refresh token, as far as they are known.
  var remainingTimes: [Double] { status?.remainingTimes ?? [] }

  /// The profile as a row of a table.
  var row: StatusTable.Row {
    var row = status?.row ?? StatusTable.Row(profile: name.string, state: (state.rawValue, "31"))
    guard let error else { return row }
    let report = ErrorReport(error).about(name.string, context)
    row.remark = Escaped.line(report.message + (report.hint.isEmpty ? "" : "; \(report.hint)"))
    return row
  }

  private var status: ProfileStatus? {
    guard let profile, let session else { return nil }
    guard error == nil else { return ProfileStatus(unavailable: profile, at: context.now()) }
    return ProfileStatus(profile, session, pair, at: context.now())
  }

  /// Whether an item belongs to the session.
  func isAbout(_ item: SecretItem) -> Bool {
    item.profile == name.string && [.tokens, .password].contains(item.kind)
  }

  /// Reads the session again, and the file if it may have changed or could not be read; nil if nothing has happened.
  mutating func reread(withFile: Bool = false) async -> WatchEvent? {
    let former = self
    await read(withFile: withFile || profile == nil)
    guard hasFile else { return former.hasFile ? WatchEvent(.removed) : nil }
    if let error { return error == former.error ? nil : WatchEvent(.state, failure: error) }
    if former.wasRead, let event = WatchEvent(from: former.pair, to: pair) { return event }
    return former.error != nil || profile != former.profile ? WatchEvent(.state) : nil
  }

  /// Reads what a failed refresh has left beside the lock; nil if nothing new.
  mutating func failure() -> WatchEvent? {
    guard let failure = RecentFailure(in: context.lockFile(name)), failure.failedAt != lastFailure else { return nil }
    lastFailure = failure.failedAt
    return WatchEvent(.refreshFailed, process: failure.process, failure: failure.error)
  }

  private mutating func read(withFile: Bool) async {
    do throws(AuthError) {
      if withFile { try readFile() }
      guard let session else { return }
      pair = try await session.storedOrKept()
      (wasRead, error) = (true, nil)
    } catch {
      self.error = error
    }
  }

  private mutating func readFile() throws(AuthError) {
    let former = (profile: profile, session: session)
    (profile, session) = (nil, nil)
    profile = try context.profiles.profile(name)
    hasFile = profile != nil
    session = profile == former.profile ? former.session : profile.map { context.session($0) }
  }
}
