import AuthCore
import HTTPTypes
import SystemPackage

/// Puts into words why a call has failed.
struct CallFailure: Sendable {
  private let target: CallTarget

  init(_ target: CallTarget) {
    self.target = target
  }

  /// The error of an answer of 400 or more, whose body has been written.
  ///
  /// - Parameters:
  ///   - body: where its body is; nil where there is none to be seen.
  ///   - grantedScope: what was granted with the token; nil where nobody knows.
  func refusal(
    _ answer: HTTPAnswer, _ method: HTTPRequest.Method, body: String?, grantedScope: () async -> [String]?
  ) async -> CLIError {
    let (what, why) = ("\(method.rawValue) \(target.url)", "the API answers \(answer.status)")
    guard let insufficient = answer.insufficientAuthorization else {
      return .http(.init(what, why: why, hint: hint(answer, body: body)))
    }
    let advice = LoginAdvice(insufficient: insufficient, profile: tokenProfile, granted: await grantedScope())
    return .http(.init(what, why: "\(why): \(advice.why)", hint: advice.hint))
  }

  /// Whose token was sent; nil where it was given or there was none.
  private var tokenProfile: Profile? {
    if case .session(let profile) = target.credential { profile } else { nil }
  }

  private func hint(_ answer: HTTPAnswer, body: String?) -> String {
    let standard = [body, "--no-fail makes the status 0"].compactMap(\.self).joined(separator: "; ")
    guard answer.status == 401 else { return standard }
    switch target.credential {
    // A password can't be renewed: where it is refused, a person must give another one.
    case .session(let profile) where profile.type == .basic:
      return "the API refuses the user name or the password: authctl login \(profile.name)"
    case .none where Challenge.all(in: answer.fields).contains(where: { $0["resource_metadata"] != nil }):
      return "the API says who issues its tokens: authctl login NAME --discover "
        + "\(ShellWord.quoted(target.url.description)) --client-id ID"
    default: return standard
    }
  }

  /// The error of a request that has brought no whole answer.
  func explaining(_ error: any Error) -> any Error {
    if case Errno.brokenPipe = error { return CLIError.outputClosed }
    guard let error = error as? TransportError else { return error }
    let what = "calling \(target.url)"
    switch error {
    case .outputClosed: return CLIError.outputClosed
    case .exposed:
      return AuthError.origin(
        .init(
          what, why: error.description,
          hint: "use https, or leave out what leads away from this machine: http_proxy, --proxy, --resolve"))
    case .localFile(let detail):
      return AuthError.failed(.init(what, why: detail, hint: "check the disk, and the files named on the command line"))
    case .unusable(let detail):
      return AuthError.failed(.init(what, why: detail, hint: "check the installation and [network] in the profile"))
    case .tls(let detail):
      return AuthError.tryLater(
        .init(
          what, why: detail,
          hint: "if the server's certificate is of an authority of your own, name it: cacert in [network]"))
    default:
      return AuthError.tryLater(
        .init(what, why: error.description, hint: "check the address and the network; try again later"))
    }
  }
}
