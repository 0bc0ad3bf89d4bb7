import AuthCore
import FoundationEssentials
import SystemPackage

/// Runs `status --watch`: shows the sessions, then every change of them by any process.
struct StatusWatch {
  /// The profiles; their files are read once.
  let profiles: [Profile]
  /// The dependencies of the command.
  let context: Context
  /// Whether a table is redrawn on the terminal, instead of one JSON object a line.
  let isTable: Bool

  /// What wakes the watch.
  private enum Signal: Sendable {
    case store(SecretStoreChange)
    case files(WatchedFiles.Change)
    case time
  }

  /// Watches until the reader of the output is gone, and throws if the keyring can't be read.
  func run() async throws -> ExitStatus {
    guard let store = context.secrets(false) as? any ObservableSecretStore else {
      throw AuthError.failed(
        .init("status --watch", why: "this secret store does not report changes", hint: "use status without --watch"))
    }
    let (signals, signal) = AsyncStream.makeStream(of: Signal.self)
    // Before the first reading, so that no change between the two is missed.
    let changes = try await store.changes()
    let files = try WatchedFiles(in: context.lockFolder, readerOf: context.console.output) { signal.yield(.files($0)) }
    defer { files.stop() }
    let forwarding = Task { for await change in changes { signal.yield(.store(change)) } }
    defer { forwarding.cancel() }
    var view = WatchView(context, isTable: isTable) { signal.yield(.time) }
    defer { view.stop() }
    do {
      var sessions: [WatchedSession] = []
      for profile in profiles { sessions.append(try await WatchedSession(profile, context)) }
      try view.begin(sessions)
      for await signal in signals {
        guard try await handle(signal, &sessions, &view) else { break }
      }
    } catch Errno.brokenPipe {
      return .ok
    }
    return .ok
  }

  /// Returns false if the reader is gone.
  private func handle(_ signal: Signal, _ sessions: inout [WatchedSession], _ view: inout WatchView) async throws
    -> Bool
  {
    switch signal {
    case .time: try view.redraw(sessions)
    case .files(.readerGone): return false
    case .files(.files(let names)):
      for index in sessions.indices where names?.contains(sessions[index].lockName) ?? true {
        guard let event = sessions[index].failure() else { continue }
        try view.show(event, of: sessions[index], among: sessions)
      }
    case .store(.failed(let error)): throw error
    case .store(.stopped):
      view.interrupt()
      context.console.note("authctl: warning: the keyring has ended; waiting until it starts again")
    case .store(.started): try await reread(&sessions, &view) { _ in true }
    case .store(.item(let item)):
      try await reread(&sessions, &view) { $0.isAbout(item) }
    }
    return true
  }

  private func reread(
    _ sessions: inout [WatchedSession], _ view: inout WatchView, _ isAffected: (WatchedSession) -> Bool
  ) async throws {
    for index in sessions.indices where isAffected(sessions[index]) {
      guard let event = try await sessions[index].reread() else { continue }
      try view.show(event, of: sessions[index], among: sessions)
    }
  }
}

/// A session that `status --watch` observes, as it was read last.
struct WatchedSession {
  /// The profile of the session.
  let profile: Profile
  private let context: Context
  private let session: TokenSession
  private var pair: TokenPair?
  private var lastFailure: BootTime?

  /// Reads a session.
  ///
  /// - Throws: ``AuthError`` if it can't be read.
  init(_ profile: Profile, _ context: Context) async throws(AuthError) {
    self.profile = profile
    self.context = context
    session = context.session(profile)
    lastFailure = RecentFailure(in: context.lockFile(profile.name))?.failedAt
    pair = try await session.stored()
  }

  /// The name of the session's lock file in the folder of the locks.
  var lockName: String { context.lockFile(profile.name).lastComponent?.string ?? "" }

  /// The state of the session now, from what was read last.
  var status: ProfileStatus { ProfileStatus(profile, session, pair, at: context.now()) }

  /// Whether an item belongs to the session.
  func isAbout(_ item: SecretItem) -> Bool {
    item.profile == profile.name.string && [.tokens, .password].contains(item.kind)
  }

  /// Reads the session again; nil if nothing has happened.
  ///
  /// - Throws: ``AuthError`` if it can't be read.
  mutating func reread() async throws(AuthError) -> SessionEvent? {
    let former = pair
    pair = try await session.stored()
    return SessionEvent(from: former, to: pair)
  }

  /// Reads what a failed refresh has left beside the lock; nil if nothing new.
  mutating func failure() -> SessionEvent? {
    guard let failure = RecentFailure(in: context.lockFile(profile.name)), failure.failedAt != lastFailure else {
      return nil
    }
    lastFailure = failure.failedAt
    return SessionEvent(.refreshFailed, process: failure.process, failure: failure.error)
  }
}
