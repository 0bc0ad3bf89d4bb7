import AuthCore
import Synchronization

/// Checks the responses at the redirect URI of a browser login, whether the browser brings them or the user.
final class CallbackCheck: Sendable {
  /// The accepted response, or the reason why it ends the login.
  typealias Response = Result<AuthorizationResponse, AuthorizationResponse.Invalid>

  private let login: Login
  private let request: AuthorizationRequest
  private let context: Context
  private let ignored = Mutex<String?>(nil)

  init(_ login: Login, _ request: AuthorizationRequest, _ context: Context) {
    self.login = login
    self.request = request
    self.context = context
  }

  /// The last error that was ignored because it had no `state`; nil if there was none.
  var ignoredError: String? { ignored.withLock(\.self) }

  /// Checks the fields of a response; notes one that does not end the wait.
  func verdict(_ fields: [FormField]) -> LoopbackListener.Verdict<Response> {
    let response = response(fields)
    switch response {
    case .failure(.empty):
      note("the browser returned without a code or an error")
      return .ignored(.empty)
    case .failure(.wrongState):
      note("ignored a response that belongs to another login")
      return .ignored(.foreign)
    case .failure(.missingState(let error)):
      if let error { ignored.withLock { $0 = error } }
      let what = error.map { "an error without state (\($0))" } ?? "a response without state"
      note("ignored \(what), which any page can send")
      return .ignored(.stateless)
    case .success, .failure(.wrongIssuer), .failure(.repeated): return .accepted(response)
    }
  }

  private func note(_ text: String) { context.console.note("authctl: \(text); still waiting") }

  /// Parses the fields. A form that a server has encoded twice is decoded twice.
  private func response(_ fields: [FormField]) -> Response {
    let once = parsed(fields)
    guard case .failure(let invalid) = once, invalid != .empty else { return once }
    let twice = parsed(
      fields.map { ($0.name, FormEncoding.decode("x=\($0.value)").first?.value ?? $0.value) })
    if case .success = twice { return twice }
    return once
  }

  private func parsed(_ fields: [FormField]) -> Response {
    Response { () throws(AuthorizationResponse.Invalid) in try login.authorizationResponse(fields, to: request) }
  }
}
