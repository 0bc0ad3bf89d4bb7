import AuthCore
import HTTPTypes

extension Context {
  /// `User-Agent` of all requests, unless a `-H` says otherwise.
  static let userAgent = "authctl/\(Program.authctl.version)"

  /// The token of `AUTHCTL_ACCESS_TOKEN`; nil where that is unset.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where it is none.
  func givenToken() throws(AuthError) -> Secret? {
    guard let text = variable("AUTHCTL_ACCESS_TOKEN") else { return nil }
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .usage(
        .init(
          "AUTHCTL_ACCESS_TOKEN", why: "it contains characters that no token has", hint: "set it to the token alone"))
    }
    return Secret(text)
  }

  /// The session of a profile, with whatever watches it.
  ///
  /// - Parameter prompting: whether the keyring may ask the person to unlock it: at a login only.
  func session(_ profile: Profile, prompting: Bool = false) -> ProfileSession {
    chosen.note(profile.name)
    let trace = Trace(self, tokenField: profile.header.name)
    let here = HookedRefresh(profile: profile, context: self, events: trace.events)
    let runner: any RefreshRunner =
      relauncher.map {
        DetachedRefresh(profile: profile.name, process: $0, refreshes: refreshes, trace: trace, fallback: here)
      } ?? here
    return session(profile, events: trace.events, wire: trace.wire, runner: runner, prompting: prompting)
  }

  /// The session of a profile.
  ///
  /// - Parameters:
  ///   - wire: watches header lines; they hold secrets.
  ///   - runner: says in which process an exchange runs.
  func session(
    _ profile: Profile, events: @escaping EventSink, wire: (@Sendable (WireLine) -> Void)?,
    runner: any RefreshRunner, prompting: Bool = false
  ) -> ProfileSession {
    let connection = ServerConnection(
      transport: transport(), network: profile.network, userAgent: Context.userAgent, now: now, boot: boot,
      events: events, trace: wire)
    let session = ProfileSession(
      profile, connection: connection, secrets: secrets(prompting), lock: lock(profile.name), rescue: rescue(state),
      runner: runner)
    // What another process does goes on without this one; and what has not been begun there is not begun at all.
    if relauncher == nil { refreshes.add { await session.manager.finishRefresh() } }
    return session
  }
}
