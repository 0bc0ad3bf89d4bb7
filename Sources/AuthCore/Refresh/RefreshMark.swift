import FoundationEssentials
import Synchronization

/// The mark in the stored item that a refresh has begun: it proves that the result can be stored, before anything is
/// sent.
final class RefreshMark: Sendable {
  private struct State {
    var isWritten = false
    var refusal: AuthError?
  }

  private let pair: TokenPair
  private let backend: SessionBackend
  private let written: @Sendable () -> Void
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private let state = Mutex(State())

  /// Creates the mark of a refresh that starts now.
  ///
  /// - Parameters:
  ///   - pair: the stored pair.
  ///   - written: called when it is written, once.
  init(of pair: TokenPair, _ backend: SessionBackend, _ written: @escaping @Sendable () -> Void) {
    self.pair = pair
    self.backend = backend
    self.written = written
    start = clock.now
  }

  /// Whether it is in the stored item.
  var isWritten: Bool { state.withLock { $0.isWritten } }

  /// The error because of which it was not written; nil if it was, or if there was no attempt.
  var refusal: AuthError? { state.withLock { $0.refusal } }

  /// Writes it, unless it is written, and checks that there is still time for a request.
  ///
  /// - Throws: ``AuthError``; nothing may be sent then.
  func write() async throws(AuthError) {
    if !isWritten {
      do throws(AuthError) {
        var marked = pair
        marked.refreshBegan = backend.now()
        guard try await backend.storage.mark(pair, with: marked) else { throw .loggedOut(backend.name) }
      } catch {
        state.withLock { $0.refusal = error }
        throw error
      }
      state.withLock { $0.isWritten = true }
      written()
    }
    // The machine may have slept, or the process was stopped: the processes that wait for the lock have given up.
    let took = start.duration(to: clock.now)
    guard took < backend.policy.lockDeadline else {
      throw .tryLater(
        "refreshing the token of \(backend.name)",
        why: "\(DurationText.describe(took.seconds)) have passed before the request could be sent: it was not sent",
        hint: "try again")
    }
  }
}
