/// The refusal of a protected resource (RFC 6750, section 3).
struct BearerChallenge {
  /// How the header is written.
  let form: ChallengeForm
  /// The error code; nil when there was no token at all.
  let error: String?
  /// `error_description`.
  let description: String
  /// Further parameters, in their order.
  var more: [(name: String, value: String)] = []

  /// The refusal with this status.
  func response(status: Int, outcome: String) -> Response {
    let body: JSONValue = ["error": .string(error ?? "unauthorized"), "error_description": .string(description)]
    let response = Response(status, json: body, outcome: outcome)
    return form == .absent ? response : response.adding("WWW-Authenticate", header)
  }

  private var header: String {
    var parameters = ["realm=\"authlab\""]
    if let error { parameters = ["error=\"\(error)\"", "error_description=\"\(description)\""] }
    parameters += more.map { "\($0.name)=\"\($0.value)\"" }
    return (form == .lowercase ? "bearer " : "Bearer ") + parameters.joined(separator: form == .noSpace ? "," : ", ")
  }
}
