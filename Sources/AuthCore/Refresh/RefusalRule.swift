import HTTPTypes

/// Decides whether a response from an API refuses the token of its request.
package struct RefusalRule: Sendable {
  /// The verdict on the token that a response implies.
  enum Verdict: Sendable, Equatable {
    /// The response does not refuse the token, whatever its status: it is the result.
    case usable
    /// The token is refused: it is refreshed, and the request is replayed once.
    case refused
    /// The token is valid, but not for this request (RFC 6750, section 3.1; RFC 9470): a refresh does not help.
    case insufficient(InsufficientAuthorization)
    /// The body decides: it must be read before any of it is shown. See ``verdict(onBody:status:)``.
    case dependsOnBody
  }

  /// The maximum length of a body that can refuse a token, in bytes. A longer body is streamed as it arrives.
  static let longestBody = 64 << 10

  /// The status codes that refuse the token; empty if it can't be refreshed.
  package var statuses: Set<Int>
  /// The location of the error code in a body, and the codes that refuse the token; none if there are no such codes.
  var codes: ResponsePointers

  private var hasCodes: Bool { !codes.refreshOnCodes.isEmpty }

  /// Creates a rule that depends on the status code, and on the error code of a body if any code refuses the token.
  package init(statuses: Set<Int> = [401], codes: ResponsePointers = ResponsePointers()) {
    self.statuses = statuses
    self.codes = codes
  }

  /// Creates the rule from the `refresh_on` and `refresh_on_codes` of a profile. A password can't be refreshed.
  package init(_ profile: Profile) {
    self.init(
      statuses: profile.type == .basic ? [] : profile.refreshOn, codes: profile.custom?.response ?? ResponsePointers())
  }

  /// Whether any response refuses the token.
  package var canRefuse: Bool { !statuses.isEmpty || hasCodes }

  /// Returns the verdict from a response's header. Challenges precede status codes and error codes: they give the
  /// reason.
  func verdict(on response: TransferResponse) -> Verdict {
    if let lack = InsufficientAuthorization(response) { return .insufficient(lack) }
    // The proof lacks a nonce, but the token is still valid (RFC 9449, section 9).
    if DPoPProver.namesNonceError(response) { return .usable }
    if statuses.contains(response.status) { return .refused }
    return mayHaveCode(response) ? .dependsOnBody : .usable
  }

  /// Returns the verdict from a response's body. The body is nil if it is too long or incomplete.
  func verdict(onBody body: [UInt8]?, status: Int) -> Verdict {
    // A body that is not JSON has no code.
    guard hasCodes, let body, let document = try? JSONValue(parsing: body),
      status >= 400 || codes.refuses(document), let code = codes.code(document, among: codes.refreshOnCodes),
      codes.refreshOnCodes.contains(code)
    else { return .usable }
    return .refused
  }

  /// Whether a complete response, including its body, refuses the token.
  func refuses(_ response: TransferResponse) -> Bool {
    var verdict = verdict(on: response)
    if verdict == .dependsOnBody { verdict = self.verdict(onBody: response.body, status: response.status) }
    return verdict == .refused
  }

  /// Whether the body of a response may have an error code. It must be JSON of limited length, with a status of 400 or
  /// higher, or with any status if the profile names a success flag.
  private func mayHaveCode(_ response: TransferResponse) -> Bool {
    guard hasCodes, response.status >= 400 || !codes.success.isEmpty else { return false }
    if let length = response.fields[.contentLength].flatMap({ Int($0) }), length > RefusalRule.longestBody {
      return false
    }
    let type = response.fields[.contentType]?.prefix(upToAny: "; ").lowercased()
    return type == "application/json" || type?.ends(withBytes: "+json") == true
  }
}
