import HTTPTypes
import Synchronization

@testable import AuthCore

/// A transport that responses from a list and remembers what it was asked.
///
/// A response that is bound to a URL is given for that URL only; of the responses that fit, the first is used up.
final class ScriptedTransport: HTTPTransport {
  /// What the script says to one request.
  struct Step: Sendable {
    var url: String?
    var outcome: Result<TransferResponse, TransportError>

    static func response(_ status: Int, _ body: String = "", fields: HTTPFields = [:], at url: String? = nil) -> Step {
      Step(
        url: url,
        outcome: .success(TransferResponse(status: status, fields: fields, body: Array(body.utf8), bodyCount: 0)))
    }

    static func failure(_ error: TransportError, at url: String? = nil) -> Step {
      Step(url: url, outcome: .failure(error))
    }
  }

  /// One request as it would have gone out.
  struct Request: Sendable {
    let method: HTTPRequest.Method
    let url: String
    /// With the field of the credential.
    let fields: HTTPFields
    let body: String?

    /// The form in the body, as `name=value`, decoded.
    var form: [String] { FormEncoding.decode(body ?? "").map { "\($0.name)=\($0.value)" } }
  }

  private struct State {
    var steps: [Step]
    var requests: [Request] = []
    var destinations: [String] = []
  }

  private let state: Mutex<State>

  init(_ steps: [Step] = []) {
    state = Mutex(State(steps: steps))
  }

  var requests: [Request] { state.withLock { $0.requests } }
  /// How many responses are left over.
  var left: Int { state.withLock { $0.steps.count } }
  /// Where the bodies of the responses went.
  var destinations: [String] { state.withLock { $0.destinations } }

  func send(_ transfer: Transfer) async throws -> TransferResponse {
    var fields = transfer.fields
    for field in try await transfer.credential?() ?? [] { fields.append(field) }
    let body: String? =
      switch transfer.body {
      case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
      case .stream(let spool): String(decoding: try spool.readToEnd(), as: UTF8.self)
      case .file, .sequence, nil: nil
      }
    let request = Request(method: transfer.method, url: transfer.url.string, fields: fields, body: body)
    let step = state.withLock { state -> Step? in
      state.requests.append(request)
      guard let index = state.steps.firstIndex(where: { $0.url == nil || $0.url == request.url }) else { return nil }
      return state.steps.remove(at: index)
    }
    guard let step else { throw TransportError.unreachable(detail: "the script has nothing for \(request.url)") }
    let response = try step.outcome.get()
    var destination = try transfer.destination(response)
    if case .hold(let limit, let decide) = destination {
      destination = try decide(response.body.count <= limit ? response.body : nil)
    }
    state.withLock { $0.destinations.append("\(destination)") }
    return response
  }
}
