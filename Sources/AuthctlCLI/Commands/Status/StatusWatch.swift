import AuthCore
import SystemPackage

/// Runs `status --watch`: shows the sessions, then every change of them by any process.
struct StatusWatch {
  /// The profiles that are named; nil for all, also those that are added later.
  let named: [ProfileName]?
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

  /// Watches until the reader of the output is gone.
  ///
  /// - Throws: ``AuthError`` if there is no profile, or the keyring can't be watched any more.
  func run() async throws -> ExitStatus {
    let names = try names()
    let (signals, signal) = AsyncStream.makeStream(of: Signal.self)
    // Before the first reading, so that no change between the two is missed.
    let usesKeyring = names.contains { name in
      (try? context.profiles.profile(name, requiringFiles: false))?.store == .keyring
    }
    var forwarding = usesKeyring ? try await keyringChanges(to: signal) : nil
    defer { forwarding?.cancel() }
    let files = try WatchedFiles(
      locks: context.lockFolder, profiles: context.profiles.path, sessions: context.sessionFolder,
      readerOf: context.console.output
    ) { signal.yield(.files($0)) }
    defer { files.stop() }
    var output = WatchOutput(context, isTable: isTable) { signal.yield(.time) }
    defer { output.stop() }
    do {
      var profiles: [WatchedProfile] = []
      for name in names { profiles.append(await WatchedProfile(name, context)) }
      try output.begin(profiles)
      for await next in signals {
        guard try await handle(next, &profiles, &output) else { break }
        if case .files(.profiles) = next, forwarding == nil, profiles.contains(where: \.usesKeyring) {
          // Without a keyring, the new profile's state says so.
          forwarding = try? await keyringChanges(to: signal)
          if forwarding != nil { try await reread(&profiles, &output) { $0.usesKeyring } }
        }
        try output.redraw(profiles)
      }
    } catch Errno.brokenPipe {
      return .ok
    }
    return .ok
  }

  /// Subscribes to the changes in the keyring.
  private func keyringChanges(to signal: AsyncStream<Signal>.Continuation) async throws -> Task<Void, Never> {
    guard let store = context.secrets(false) as? any ObservableSecretStore else {
      throw AuthError.failed(
        "status --watch", why: "this secret store does not report changes", hint: "use status without --watch")
    }
    let changes = try await store.changes()
    return Task { for await change in changes { signal.yield(.store(change)) } }
  }

  /// Returns the profiles at the start.
  private func names() throws(AuthError) -> [ProfileName] {
    let names = if let named { named } else { try context.profiles.names() }
    guard !names.isEmpty else { throw ProfileChoice.none(for: "status --watch") }
    for name in names where !context.profiles.has(name) { throw try ProfileChoice(context).missing(name) }
    return names
  }

  /// Returns false if the reader is gone.
  private func handle(
    _ signal: Signal, _ profiles: inout [WatchedProfile], _ output: inout WatchOutput
  ) async throws -> Bool {
    switch signal {
    case .time: break
    case .files(.readerGone): return false
    case .files(.locks(let names)):
      for index in profiles.indices where names?.contains(profiles[index].lockName) ?? true {
        if let event = profiles[index].failure() { try output.show(event, of: profiles[index]) }
      }
    case .files(.profiles(let files)):
      for name in changed(files, among: profiles) { try await reread(name, &profiles, &output) }
    case .files(.sessions(let files)):
      try await reread(&profiles, &output) { profile in files.map { profile.isAbout(sessionFiles: $0) } ?? true }
    case .store(.failed(let error)): throw error
    case .store(.stopped):
      output.interrupt()
      context.console.note("authctl: warning: the keyring has ended; waiting until it starts again")
    case .store(.started): try await reread(&profiles, &output) { $0.usesKeyring }
    case .store(.item(let item)): try await reread(&profiles, &output) { $0.isAbout(item) }
    }
    return true
  }

  private func reread(
    _ profiles: inout [WatchedProfile], _ output: inout WatchOutput, _ isAffected: (WatchedProfile) -> Bool
  ) async throws {
    var isReadable = false
    for index in profiles.indices where isAffected(profiles[index]) {
      if let event = await profiles[index].reread() { try output.show(event, of: profiles[index]) }
      isReadable = isReadable || profiles[index].error == nil
    }
    // gnome-keyring emits no signal when a login unlocks it: one item that can be read shows that.
    for index in profiles.indices where isReadable && profiles[index].error != nil {
      if let event = await profiles[index].reread() { try output.show(event, of: profiles[index]) }
    }
    profiles.removeAll { !$0.hasFile }
  }

  // MARK: - Files of profiles

  /// Returns the profiles whose files may have changed.
  private func changed(_ files: Set<String>?, among profiles: [WatchedProfile]) -> [ProfileName] {
    // If the folder can't be read, the known profiles report why.
    let all = ((try? context.profiles.names()) ?? []) + profiles.map(\.name)
    return Set(files?.compactMap(ProfileDirectory.name) ?? all).filter { named?.contains($0) ?? true }.sorted()
  }

  private func reread(
    _ name: ProfileName, _ profiles: inout [WatchedProfile], _ output: inout WatchOutput
  ) async throws {
    if let index = profiles.firstIndex(where: { $0.name == name }) {
      guard let event = await profiles[index].reread(withFile: true) else { return }
      try output.show(event, of: profiles[index])
      if event.kind == .removed { profiles.remove(at: index) }
    } else if context.profiles.has(name) {
      let profile = await WatchedProfile(name, context)
      try output.show(WatchEvent(.state, failure: profile.error), of: profile)
      profiles.append(profile)
      let order = named ?? profiles.map(\.name).sorted()
      profiles = order.compactMap { name in profiles.first { $0.name == name } }
    }
  }
}
