import AuthCore
import HTTPTypes

/// A token for programs that send their own requests with it.
struct ExportedToken: Sendable {
  /// The token.
  let secret: Secret
  private let header: TokenHeader

  /// The header line that carries it.
  var headerLine: String {
    let field = header.field(secret)
    return "\(field.name.rawName): \(field.value)"
  }

  /// Obtains the token of `AUTHCTL_ACCESS_TOKEN`, or the profile's, refreshed if less than `minValidity` remains.
  ///
  /// - Parameter provable: whether the recipient of the token can create proofs with its key.
  /// - Throws: ``AuthError``.
  init(
    _ arguments: ExportArguments, provable: Bool, _ context: Context
  ) async throws(AuthError) {
    if let given = try context.givenToken() {
      secret = given
      header = TokenHeader()
      return
    }
    let choice = ProfileChoice(context, remembering: ReadProfiles())
    if choice.isForKeyring(arguments.profile, cache: arguments.cache) { context.prepareSecrets {} }
    let profile = try choice.profile(arguments.profile)
    guard profile.type != .basic else {
      throw .usage(
        "profile \(profile.name)", why: "it has a password and no token",
        hint: "send requests with it: authctl call --profile \(profile.name) URL")
    }
    let pair = try await context.session(profile, cache: context.cache(of: profile, arguments.cache))
      .token(minValidity: arguments.minValidity)
    secret = pair.accessToken
    header = profile.header
    let warn = { (text: String) in
      if !context.verbosity.quiet { context.console.note("authctl: warning: \(text)") }
    }
    if pair.needsProof {
      // A header line alone is not enough: each request needs its own proof.
      guard provable else {
        throw .usage(
          "token --header",
          why: "the token of \(profile.name) is bound to a key (DPoP), and each request needs a new proof",
          hint: "use authctl call, which creates the proof")
      }
      warn("the token is bound to a key (DPoP): APIs accept it only with a proof for each request")
    }
    if let minValidity = arguments.minValidity, let left = pair.remaining(at: context.now()), left < minValidity.seconds
    {
      warn("the server's tokens are not valid that long: \(DurationText.describe(max(0, left))) remain")
    }
  }
}

/// The options of a token for programs that send their own requests with it.
struct ExportArguments: Sendable {
  /// The profile whose token it is.
  let profile: ProfileSelection
  /// The validity that the token must have at least; nil for the profile's own limit.
  let minValidity: Duration?
  /// How long the token may be reused without the store; nil for the profile's own time.
  let cache: Duration?

  /// - Throws: ``AuthError/usage(_:)``.
  init(_ invocation: Invocation) throws(AuthError) {
    profile = try ProfileSelection(invocation)
    minValidity = invocation.duration(TokenOptions.minValidity)
    cache = invocation.duration(.cache)
  }
}
