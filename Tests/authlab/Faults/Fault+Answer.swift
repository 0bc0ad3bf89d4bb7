import Foundation

/// What a fault makes of a request.
extension Fault {
  /// The answer to a request that `handle` would have answered.
  ///
  /// - Parameter hold: waits for so long, or until the faults are cleared.
  /// - Throws: What `handle` throws, and `CancellationError`.
  func answer(
    at name: String, delayedBy hold: (Duration) async throws -> Void, orElse handle: () async throws -> Response
  ) async throws -> Answer {
    switch kind {
    case .delay:
      let delay = Duration.milliseconds(milliseconds ?? 0)
      if after != true { try await hold(delay) }
      let response = try await handle()
      if after == true { try await hold(delay) }
      return .response(response)
    case .truncate:
      return .truncated(try await handle())
    case .pad:
      return .response(padded(try await handle()))
    default:
      if after == true { _ = try await handle() }
      return substitute(at: name)
    }
  }

  private func padded(_ response: Response) -> Response {
    guard case .data(let data) = response.body, data.first == UInt8(ascii: "{") else { return response }
    var padded = response
    let member = #"{"padding":"\#(String(repeating: "x", count: bytes ?? 2 << 20))","#
    padded.body = .data(Data(member.utf8) + data.dropFirst())
    return padded
  }

  private func substitute(at name: String) -> Answer {
    let outcome = "\(name).fault"
    switch kind {
    case .hang: return .hang
    case .drop: return .drop
    case .malformed:
      return .response(
        Response(status ?? 200, text: body ?? "{\"access_token\": \"", type: contentType ?? json, outcome: outcome))
    case .html:
      let page = "<!doctype html><title>Error</title><h1>Something went wrong</h1>"
      return .response(
        Response(status ?? 200, text: body ?? page, type: contentType ?? "text/html; charset=utf-8", outcome: outcome))
    case .flood:
      var response = Response(empty: status ?? 200, outcome: outcome).adding("Content-Type", contentType ?? json)
      response.body = .pattern(count: 10 << 20, chunked: false)
      return .response(response)
    case .empty: return .response(Response(empty: status ?? 200, outcome: outcome))
    case .always401: return .response(unauthorized(at: name, outcome: outcome))
    case .redirect:
      return .response(Response(redirect: status ?? 302, to: location ?? "/", outcome: outcome))
    case .retryAfter:
      let seconds = ((milliseconds ?? 0) + 999) / 1000
      let response = Response(
        status ?? 429, text: body ?? #"{"error":"slow_down"}"#, type: contentType ?? json, outcome: outcome)
      return .response(response.adding("Retry-After", "\(seconds)"))
    case .status, .delay, .truncate, .pad:
      return .response(
        Response(status ?? 500, text: body ?? #"{"error":"server_error"}"#, type: contentType ?? json, outcome: outcome)
      )
    }
  }

  private var json: String { "application/json" }

  private func unauthorized(at name: String, outcome: String) -> Response {
    if ["api", "userinfo"].contains(name) {
      return BearerChallenge(form: .full, error: "invalid_token", description: "The access token is not accepted.")
        .response(status: 401, outcome: outcome)
    }
    let error = OAuthError("invalid_client", "The client is not accepted.")
    return Response(401, json: error.json, outcome: outcome).adding("WWW-Authenticate", "Basic realm=\"authlab\"")
  }
}
