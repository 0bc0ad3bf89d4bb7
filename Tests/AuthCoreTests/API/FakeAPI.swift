import HTTPTypes
import Synchronization

@testable import AuthCore

/// An API that answers by a function of the request, from any number of tasks, and remembers what was asked.
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
  private let respond: @Sendable (Request) async throws -> HTTPAnswer

  init(_ respond: @escaping @Sendable (Request) async throws -> HTTPAnswer) {
    self.respond = respond
  }

  /// Answers every request alike.
  convenience init(_ status: Int, _ body: String = "", fields: HTTPFields = [:]) {
    self.init { _ in .made(status, body, fields: fields) }
  }

  var requests: [Request] { seen.withLock { $0 } }

  func send(_ transfer: Transfer) async throws -> HTTPAnswer {
    var fields = transfer.fields
    for field in try await transfer.credential?() ?? [] { fields.append(field) }
    var body = ""
    if case .bytes(let bytes) = transfer.body { body = String(decoding: bytes, as: UTF8.self) }
    let request = Request(method: transfer.method, url: transfer.url.string, fields: fields, body: body)
    seen.withLock { $0.append(request) }
    let answer = try await respond(request)
    if case .collect(let limit) = try transfer.destination(answer), answer.body.count > limit {
      throw TransportError.answerTooLarge(limit: limit)
    }
    return answer
  }
}

extension HTTPAnswer {
  /// An answer with a text as its body.
  static func made(_ status: Int, _ body: String = "", fields: HTTPFields = [:]) -> HTTPAnswer {
    HTTPAnswer(status: status, fields: fields, body: Array(body.utf8), bodyCount: Int64(body.utf8.count))
  }
}
