import AuthCore
import Synchronization

/// Sends the requests of a call. There is one transport for all requests and one session per profile, so that
/// connections are reused and a token is refreshed once.
final class SenderPool: Sendable {
  /// What was prompted for.
  let secrets: CallSecrets
  private let context: Context
  private let transport: any HTTPTransport
  private let reuse: Duration?
  private let sessions = Mutex<[ProfileName: TokenSession]>([:])
  private let sources = Mutex<[ProfileName: AuthorizedSender.TokenSource]>([:])

  /// - Parameters:
  ///   - transport: what carries all requests; nil for that of the context.
  ///   - reuse: how long a token is used again without a look at the keyring; nil where each request looks.
  init(
    _ context: Context, _ secrets: CallSecrets, transport: (any HTTPTransport)? = nil, reuse: Duration? = nil
  ) {
    self.context = context
    self.secrets = secrets
    self.transport = transport ?? context.transport()
    self.reuse = reuse
  }

  /// What `-v` tells of the requests to a target.
  func trace(_ target: CallTarget) -> Trace {
    Trace(context, tokenField: target.tokenField)
  }

  /// Sends requests to a target with the token that belongs there.
  func sender(_ target: CallTarget) -> AuthorizedSender {
    let events = trace(target).events
    switch target.credential {
    case .none:
      return AuthorizedSender(
        transport: transport, header: TokenHeader(), origins: [], refreshOn: [], events: events
      ) { _ in nil }
    case .given(let token, let header, let origins):
      return AuthorizedSender(
        transport: transport, header: header, origins: origins, refreshOn: [], events: events
      ) { _ in APICredential(token) }
    case .password:
      return AuthorizedSender(
        transport: transport, header: TokenHeader(prefix: "Basic"), origins: [target.url.origin], refreshOn: [],
        events: events
      ) { [secrets] _ in secrets.credentials.map { APICredential($0.encoded) } }
    case .session(let profile):
      let session = session(profile)
      return AuthorizedSender(
        transport: transport, header: profile.header, origins: profile.origins, refreshOn: profile.refreshOn,
        refusalCodes: RefusalCodes(profile), events: events, remember: { await session.rememberRefusal(of: $0) },
        token: source(profile))
    }
  }

  /// Returns the scope that was granted with the token for a target; nil if unknown.
  func grantedScope(_ target: CallTarget) async -> [String]? {
    guard case .session(let profile) = target.credential else { return nil }
    // The request is through: a store that can't be read now is no failure of it.
    return try? await session(profile).stored()?.scope
  }

  private func session(_ profile: Profile) -> TokenSession {
    sessions.withLock { sessions in
      if let session = sessions[profile.name] { return session }
      let session = context.session(profile)
      sessions[profile.name] = session
      return session
    }
  }

  private func source(_ profile: Profile) -> AuthorizedSender.TokenSource {
    sources.withLock { sources in
      if let source = sources[profile.name] { return source }
      let source = makeSource(profile)
      sources[profile.name] = source
      return source
    }
  }

  private func makeSource(_ profile: Profile) -> AuthorizedSender.TokenSource {
    let session = session(profile)
    guard let reuse else {
      return { rejected throws(AuthError) in try await session.credential(replacing: rejected) }
    }
    let credentials = session.reuse(within: reuse)
    return { rejected throws(AuthError) in try await credentials.credential(replacing: rejected) }
  }
}
