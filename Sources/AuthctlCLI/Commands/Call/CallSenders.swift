import AuthCore
import Synchronization

/// What sends the requests of a call: one transport for all, and one session for each profile, so that connections are
/// kept and a token is renewed once.
final class CallSenders: Sendable {
  private let settings: Settings
  private let context: Context
  private let transport: any HTTPTransport
  private let sessions = Mutex<[ProfileName: ProfileSession]>([:])

  init(_ settings: Settings, _ context: Context) {
    self.settings = settings
    self.context = context
    transport = context.transport()
  }

  /// What `-v` tells of the requests to a target.
  func trace(_ target: CallTarget) -> Trace {
    Trace(settings, context, tokenField: target.tokenField)
  }

  /// Sends requests to a target with the token that belongs there.
  func sender(_ target: CallTarget) -> AuthorizedSender {
    let events = trace(target).events
    switch target.credential {
    case .none:
      return AuthorizedSender(
        transport: transport, header: TokenHeader(), origins: [], refreshOn: [], events: events
      ) { _ in nil }
    case .given(let token, let header):
      return AuthorizedSender(
        transport: transport, header: header, origins: [target.url.origin], refreshOn: [], events: events
      ) { _ in APICredential(token) }
    case .session(let profile):
      let session = session(profile)
      return AuthorizedSender(
        transport: transport, header: profile.header, origins: profile.origins, refreshOn: profile.refreshOn,
        refusalCodes: RefusalCodes(profile), events: events
      ) { rejected throws(AuthError) in try await session.credential(replacing: rejected) }
    }
  }

  /// The scope that was granted with the token for a target; nil where nobody knows it.
  func grantedScope(_ target: CallTarget) async -> [String]? {
    guard case .session(let profile) = target.credential else { return nil }
    // The request is through: a store that can't be read now is no failure of it.
    return try? await session(profile).stored()?.scope
  }

  private func session(_ profile: Profile) -> ProfileSession {
    sessions.withLock { sessions in
      if let session = sessions[profile.name] { return session }
      let session = context.session(profile, settings)
      sessions[profile.name] = session
      return session
    }
  }
}
