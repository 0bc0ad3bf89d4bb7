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
          "AUTHCTL_ACCESS_TOKEN", why: "it has characters in it that no token has", hint: "set it to the token alone"))
    }
    return Secret(text)
  }

  /// The session of a profile, with whatever watches it.
  ///
  /// - Parameter prompting: whether the keyring may ask the person to unlock it: at a login only.
  func session(_ profile: Profile, _ settings: Settings, prompting: Bool = false) -> ProfileSession {
    chosen.note(profile.name)
    let trace = Trace(settings, self, tokenField: profile.header.name)
    let connection = ServerConnection(
      transport: transport(), network: profile.network, userAgent: Context.userAgent, now: now, boot: boot,
      events: trace.events, trace: trace.wire)
    let session = ProfileSession(profile, connection: connection, secrets: secrets(prompting), lock: lock(profile.name))
    renewals.add(session.manager)
    return session
  }

  /// Runs `[on] login_required` for a session that has just died: by who found it dead, and so once.
  func reportDeath(of profile: Profile, _ error: AuthError, _ settings: Settings) async {
    guard case .loginRequired(let explanation) = error, let code = explanation.serverError,
      let command = profile.onLoginRequired
    else { return }
    let failure = await hooks.run(
      command, variables: ["AUTHCTL_PROFILE": profile.name.string, "AUTHCTL_ERROR": Printable.text(code, limit: 80)])
    if let failure, !settings.quiet {
      console.note("authctl: warning: the command of [on] login_required failed: \(failure)")
    }
  }
}
