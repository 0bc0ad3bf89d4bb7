import AuthCore

/// A token for programs that make their own requests with it.
struct ExportedToken: Sendable {
  private let invocation: Invocation
  private let context: Context

  init(_ invocation: Invocation, _ context: Context) {
    self.invocation = invocation
    self.context = context
  }

  /// Returns the token of `AUTHCTL_ACCESS_TOKEN`, or the profile's, refreshed if less than `--min-validity` remains.
  ///
  /// - Parameter provable: whether the recipient of the token can create proofs with its key.
  /// - Throws: ``AuthError``.
  func token(provable: Bool) async throws(AuthError) -> (token: Secret, header: TokenHeader) {
    let minValidity = try invocation.duration(TokenOptions.minValidity)
    if let given = try context.givenToken() { return (given, TokenHeader()) }
    context.prepareSecrets {}
    let profile = try ProfileChoice(context).profile(invocation)
    guard profile.type != .basic else {
      throw .usage(
        .init(
          "profile \(profile.name)", why: "it has a password and no token",
          hint: "send requests with it: authctl call --profile \(profile.name) URL"))
    }
    let pair = try await context.session(profile).manager.token(minValidity: minValidity)
    if pair.needsProof {
      // A header line alone can't use it: each request has a proof of its own.
      guard provable else {
        throw .usage(
          .init(
            "token --header",
            why: "the token of \(profile.name) is bound to a key (DPoP), and each request needs a new proof",
            hint: "use authctl call, which creates the proof"))
      }
      warn("the token is bound to a key (DPoP): APIs accept it only with a proof for each request")
    }
    if let minValidity, let left = pair.remaining(at: context.now()), left < minValidity.seconds {
      warn("the server's tokens are not valid that long: \(DurationText.describe(max(0, left))) remain")
    }
    return (pair.accessToken, profile.header)
  }

  private func warn(_ text: String) {
    guard !context.verbosity.quiet else { return }
    context.console.note("authctl: warning: \(text)")
  }
}
