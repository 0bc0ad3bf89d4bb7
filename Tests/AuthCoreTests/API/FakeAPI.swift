import HTTPTypes
import Synchronization

@testable import AuthCore

/// An API that responses by a function of the request, from any number of tasks, and remembers what was asked.
final class FakeAPI: HTTPTransport {
  /// One request as it would have gone out.
  struct Request: Sendable {
    let method: HTTPRequest.Method
    let url: String
    let fields: HTTPFields
    let body: String

    /// What the request was authorized with.
    var authorization: String? { fields[.authorization] }
  }

  private let seen = Mutex<[Request]>([])
  private let respond: @Sendable (Request) async throws -> TransferResponse

  init(_ respond: @escaping @Sendable (Request) async throws -> TransferResponse) {
    self.respond = respond
  }

  /// Returns the same response for every request.
  convenience init(_ status: Int, _ body: String = "", fields: HTTPFields = [:]) {
    self.init { _ in .made(status, body, fields: fields) }
  }

  var requests: [Request] { seen.withLock { $0 } }

  func send(_ transfer: Transfer) async throws -> TransferResponse {
    var fields = transfer.fields
    for field in try await transfer.credential?() ?? [] { fields.append(field) }
    var body = ""
    if case .bytes(let bytes) = transfer.body { body = String(decoding: bytes, as: UTF8.self) }
    let request = Request(method: transfer.method, url: transfer.url.string, fields: fields, body: body)
    seen.withLock { $0.append(request) }
    let response = try await respond(request)
    if case .collect(let limit) = try transfer.destination(response), response.body.count > limit {
      throw TransportError.responseTooLarge(limit: limit)
    }
    return response
  }
}

extension TransferResponse {
  /// A response with a text as its body.
  static func made(_ status: Int, _ body: String = "", fields: HTTPFields = [:]) -> TransferResponse {
    TransferResponse(status: status, fields: fields, body: Array(body.utf8), bodyCount: Int64(body.utf8.count))
  }
}
