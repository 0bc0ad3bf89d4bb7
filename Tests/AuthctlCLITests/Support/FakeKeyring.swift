import AuthCore
import Synchronization

/// A login keyring in memory.
final class FakeKeyring: LoginKeyring {
  /// What the keyring is like.
  enum State: Sendable, Equatable {
    /// There is none, or no service runs.
    case missing
    /// It has this password.
    case locked(String)
    /// It needs none.
    case unlocked
    /// It can't be read.
    case failing(StorageFault)
  }

  private let state: Mutex<(now: State, given: [String])>

  /// Creates a keyring.
  init(_ state: State = .missing) {
    self.state = Mutex((state, []))
  }

  /// What it is like now.
  var now: State { state.withLock(\.now) }
  /// The passwords that it was given.
  var given: [String] { state.withLock(\.given) }

  func isUnlocked() async throws(AuthError) -> Bool {
    let now = now
    if case .failing(let fault) = now { throw FakeKeyring.failure(fault) }
    return now == .unlocked
  }

  func unlock(with password: Secret) async throws(AuthError) -> Bool {
    let before = state.withLock { state in
      state.given.append(password.exposed)
      defer { if [.missing, .locked(password.exposed)].contains(state.now) { state.now = .unlocked } }
      return state.now
    }
    switch before {
    case .missing: return true
    case .locked(let right) where right != password.exposed: throw FakeKeyring.failure(.locked)
    case .locked, .unlocked: return false
    case .failing(let fault): throw FakeKeyring.failure(fault)
    }
  }

  private static func failure(_ fault: StorageFault) -> AuthError {
    .storage(fault, .init("the keyring", why: "it is \(fault.rawValue)", hint: "check it"))
  }
}
