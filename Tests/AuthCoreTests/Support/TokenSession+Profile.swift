import Foundation

@testable import AuthCore

extension TokenSession {
  /// The session of a profile, of the parts that a test gives.
  init(
    _ profile: Profile, connection: ServerConnection, secrets: any SecretStore, lock: any RefreshLock,
    rescue: any TokenRescue = NoRescue(), newSessionID: @escaping @Sendable () -> String = { UUID().uuidString }
  ) {
    self.init(
      of: AuthorizationServer(profile: profile, connection: connection, secrets: secrets), lock: lock, rescue: rescue,
      policy: RefreshPolicy(lockDeadline: .seconds(600)), newSessionID: newSessionID)
  }

  /// The server of the session of a profile.
  var server: AuthorizationServer {
    guard let server = backend.server else { preconditionFailure("not the session of a profile") }
    return server
  }

  /// The profile of the session.
  var profile: Profile { server.profile }
}

extension TokenManager {
  /// A manager of the pair `work`, of the parts that a test gives.
  init(
    storage: any TokenStorage, lock: any RefreshLock, refresher: any TokenRefresher,
    revocation: any TokenRevocation = NoRevocation(), rescue: any TokenRescue = NoRescue(),
    policy: RefreshPolicy, now: @escaping @Sendable () -> Date, events: @escaping EventHandler
  ) {
    var backend = SessionBackend(name: "work", storage: storage, refresher: refresher, revocation: revocation)
    backend.lock = lock
    backend.rescue = rescue
    backend.policy = policy
    // A busy machine must not change what a test sees.
    if policy.lockDeadline >= .seconds(60) { backend.policy.lockDeadline = .seconds(600) }
    backend.now = now
    backend.events = events
    self.init(backend)
  }
}

extension TokenManager: CredentialSource {
  func credential(replacing rejected: Secret?) async throws(AuthError) -> APICredential {
    let pair = try await token(replacing: rejected)
    var credential = APICredential(pair.accessToken)
    credential.refreshPause = refreshPause(pair)
    credential.refusal = pair.apiRefusal
    return credential
  }
}
