@testable import AuthCore

/// A transport that shows each transfer to a test, which answers it.
struct RecordingTransport: HTTPTransport {
  private let answer: @Sendable (Transfer) -> HTTPAnswer

  init(_ answer: @escaping @Sendable (Transfer) -> HTTPAnswer) { self.answer = answer }

  func send(_ transfer: Transfer) async throws -> HTTPAnswer { answer(transfer) }
}
