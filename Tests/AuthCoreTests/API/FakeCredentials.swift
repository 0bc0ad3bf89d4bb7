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

/// A source that gives `A1`, and `A2` in its place; it remembers what it was asked to replace.
final class TwoCredentials: CredentialSource {
  private let list = Mutex<[Secret?]>([])

  /// What it was asked to replace, for each credential that it gave.
  var replacing: [Secret?] { list.withLock { $0 } }

  func credential(replacing rejected: Secret?) async throws(AuthError) -> APICredential {
    list.withLock { $0.append(rejected) }
    return APICredential(Secret(rejected == nil ? "A1" : "A2"))
  }
}

/// A source that has nothing to give.
struct NoCredentials: CredentialSource {
  static let error = AuthError.loginRequired(.init("the session", why: "not logged in", hint: "log in"))

  func credential(replacing rejected: Secret?) async throws(AuthError) -> APICredential {
    throw NoCredentials.error
  }
}
