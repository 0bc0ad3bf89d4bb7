@testable import AuthCore

/// A transport that shows each transfer to a test, which returns the response.
struct RecordingTransport: HTTPTransport {
  private let response: @Sendable (Transfer) -> TransferResponse

  init(_ response: @escaping @Sendable (Transfer) -> TransferResponse) { self.response = response }

  func send(_ transfer: Transfer) async throws -> TransferResponse { response(transfer) }
}
