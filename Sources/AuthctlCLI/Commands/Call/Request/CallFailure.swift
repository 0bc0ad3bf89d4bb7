import AuthCore
import HTTPTypes
import SystemPackage

/// Describes why a call has failed.
struct CallFailure: Sendable {
  private let target: CallTarget
  private let misreading: CallMisreading?

  /// - Parameter misreading: the likely meaning of the address; nil if it is a URL.
  init(_ target: CallTarget, misreading: CallMisreading? = nil) {
    self.target = target
    self.misreading = misreading
  }

  /// Returns the error for a response with status 400 or more, whose body has been written.
  ///
  /// - Parameters:
  ///   - body: the location of the response's body; nil if there is none to show.
  ///   - grantedScope: the scope that was granted with the token; nil if unknown.
  func refusal(
    _ response: TransferResponse, _ method: HTTPRequest.Method, body: String?, grantedScope: () async -> [String]?
  ) async -> CLIError {
    let what = "\(method.rawValue) \(target.url)"
    let why = "the API returned \(response.status)\(CallFailure.challengeWords(response))"
    if let pause = response.refreshPause {
      let rest = DurationText.describe(pause.seconds.rounded(.up))
      let cause = response.refusedRequest.map { " for \($0)" } ?? ""
      return .http(
        .init(
          what, why: "\(why): the token was refreshed\(cause) and refused again; not refreshed for \(rest)",
          hint: refusedAgainHint(response, body: body)))
    }
    guard let insufficient = response.insufficientAuthorization else {
      return .http(.init(what, why: why, hint: hint(response, body: body)))
    }
    let advice = LoginAdvice(insufficient: insufficient, profile: tokenProfile, granted: await grantedScope())
    return .http(.init(what, why: "\(why): \(advice.why)", hint: advice.hint))
  }

  /// Returns the `error` and `error_description` of the API's challenge, in brackets (RFC 6750, section 3); empty if
  /// there are none.
  private static func challengeWords(_ response: TransferResponse) -> String {
    guard [401, 403].contains(response.status),
      Challenge.all(in: response.fields).contains(where: { $0["error"] != nil })
    else { return "" }
    let (error, description) = response.refusalWords
    return " (" + [error, description].compactMap(\.self).joined(separator: ": ") + ")"
  }

  private func refusedAgainHint(_ response: TransferResponse, body: String?) -> String {
    if let hint = foreignSchemeHint(response) { return hint }
    guard let profile = tokenProfile else { return hint(response, body: body) }
    let keys = profile.type == .oauth2 ? "scope and resource" : "the requests"
    return "the token may be for another API: check \(keys) of profile \(profile.name), then log in again"
      + (response.refusedRequest == nil ? "" : "; to refresh it now: authctl refresh \(profile.name)")
  }

  /// Returns a hint if the API requires credentials of a different kind than a token (RFC 9110, section 11.6.1).
  private func foreignSchemeHint(_ response: TransferResponse) -> String? {
    let schemes = Challenge.all(in: response.fields).map(\.scheme)
    guard response.status == 401, let name = schemes.lazy.compactMap({ CallFailure.foreignSchemes[$0] }).first,
      !schemes.contains(where: { CallFailure.foreignSchemes[$0] == nil })
    else { return nil }
    let other = ["digest", "ntlm", "negotiate"].first { schemes.contains($0) }
    let instead = other.map { "; curl does: curl --\($0) -u NAME URL" } ?? ""
    return "the API asks for \(name) authentication, which authctl does not support\(instead)"
  }

  private static let foreignSchemes = [
    "digest": "Digest", "ntlm": "NTLM", "negotiate": "Negotiate", "kerberos": "Kerberos", "hawk": "Hawk",
    "hoba": "HOBA",
    "mutual": "Mutual", "scram-sha-1": "SCRAM-SHA-1", "scram-sha-256": "SCRAM-SHA-256",
    "aws4-hmac-sha256": "AWS4-HMAC-SHA256",
  ]

  /// The profile whose token was sent; nil if the token was given or there was none.
  private var tokenProfile: Profile? {
    if case .session(let profile) = target.credential { profile } else { nil }
  }

  private func hint(_ response: TransferResponse, body: String?) -> String {
    let meant = response.status == 404 ? misreading.map { "did you mean: \($0.command)" } : nil
    let standard = meant ?? [body, "use --no-fail to exit 0"].compactMap(\.self).joined(separator: "; ")
    guard response.status == 401 else { return standard }
    if let hint = foreignSchemeHint(response) { return hint }
    switch target.credential {
    // A password cannot be refreshed: if it is refused, the user must enter another one.
    case .session(let profile) where profile.type == .basic:
      return "the API refuses the user name or the password: authctl login \(profile.name)"
    case .none where Challenge.all(in: response.fields).contains(where: { $0["resource_metadata"] != nil }):
      return "the API names its authorization server; run: \(LoginAddress.command(target.url))"
    default: return standard
    }
  }

  /// Returns the error for a request without a complete response.
  func explaining(_ error: any Error) -> any Error {
    if case Errno.brokenPipe = error { return CLIError.outputClosed }
    guard let error = error as? TransportError else { return error }
    let what = "calling \(target.url)"
    switch error {
    case .outputClosed: return CLIError.outputClosed
    case .exposed:
      return AuthError.origin(
        what, why: error.description,
        hint: "use https, or remove what leads away from this machine: http_proxy, --proxy, --resolve")
    case .localFile(let detail):
      return CLIError.transfer(
        .failed(what, why: detail, hint: "check the disk, and the files named on the command line"))
    case .unusable(let detail): return AuthError.unusableTransport(what, why: detail)
    case .tls(let detail):
      return CLIError.transfer(.tryLater(what, why: detail, remedy: .trustCertificate))
    default:
      return CLIError.transfer(
        .tryLater(
          what, why: error.description, hint: "check the address and the network", remedy: .tryAgain(after: nil)))
    }
  }
}
