import Synchronization

@testable import AuthCore

/// A source that gives `A1`, and after each refusal the next one; it remembers what was refused.
final class FakeCredentials: CredentialSource {
  private let refused = Mutex<[String]>([])

  var rejected: [String] { refused.withLock { $0 } }

  func credential(replacing rejected: Secret?) async throws(AuthError) -> APICredential {
    APICredential(
      refused.withLock { list in
        if let rejected { list.append(rejected.exposed) }
        return Secret("A\(list.count + 1)")
      })
  }
}

/// A source that has nothing to give.
struct NoCredentials: CredentialSource {
  static let error = AuthError.loginRequired(.init("the session", why: "not logged in", hint: "log in"))

  func credential(replacing rejected: Secret?) async throws(AuthError) -> APICredential {
    throw NoCredentials.error
  }
}
