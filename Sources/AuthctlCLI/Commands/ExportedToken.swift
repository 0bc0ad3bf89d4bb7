import AuthCore
import FoundationEssentials
import HTTPTypes

/// A token for programs that send their own requests with it.
struct ExportedToken: Sendable {
  /// The token.
  let secret: Secret
  /// Its type: `Bearer`, `DPoP`.
  let type: String
  /// When it expires; nil if that is not known.
  let expiresAt: Date?
  /// The profile that it is from; nil for the token of `AUTHCTL_ACCESS_TOKEN`.
  let profile: ProfileName?
  private let header: TokenHeader

  /// The header field that carries it.
  var field: HTTPField { header.field(secret) }

  /// Obtains the token of `AUTHCTL_ACCESS_TOKEN`, or the profile's, refreshed if less than `minValidity` remains.
  ///
  /// - Parameter provable: whether the recipient of the token can create proofs with its key.
  /// - Throws: ``AuthError``.
  init(
    _ arguments: ExportArguments, provable: Bool, _ context: Context
  ) async throws {
    if let given = try context.givenToken() {
      guard arguments.refused == nil else {
        throw AuthError.usage(
          "token --refused", why: "AUTHCTL_ACCESS_TOKEN has the token, and it can't be refreshed",
          hint: "set it to another one, or unset it")
      }
      (secret, type, expiresAt, profile, header) = (given, "Bearer", nil, nil, TokenHeader())
      return
    }
    let choice = ProfileChoice(context, remembering: ReadProfiles())
    let isRefused = try arguments.refused?.matcher(context)
    if choice.isForKeyring(arguments.profile, cache: isRefused == nil ? arguments.cache : .zero) {
      context.prepareSecrets {}
    }
    let profile: Profile
    if let url = arguments.address {
      profile = try choice.profile(arguments.profile, holding: url)
      // A profile that is named may have another api.
      _ = try CallTarget(url, of: profile)
    } else {
      profile = try choice.profile(arguments.profile)
    }
    guard profile.type != .basic else {
      throw AuthError.usage(
        "profile \(profile.name)", why: "it has a password and no token",
        hint: "send requests with it: authctl call --profile \(profile.name) URL")
    }
    let session = try context.session(profile, cache: context.cache(of: profile, arguments.cache))
    let pair =
      if let isRefused {
        try await session.token(refused: isRefused)
      } else {
        try await session.token(minValidity: arguments.minValidity)
      }
    (secret, type, expiresAt) = (pair.accessToken, pair.tokenType, pair.expiresAt)
    self.profile = profile.name
    header = profile.header
    let warn = { (text: String) in
      if !context.verbosity.quiet { context.console.note("authctl: warning: \(text)") }
    }
    if pair.needsProof {
      // A header line alone is not enough: each request needs its own proof.
      guard provable else {
        throw AuthError.usage(
          "a header line with the token",
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
  /// The address for which the token is; nil if the profile is chosen without one.
  let address: WebURL?
  /// The token that the API has refused; nil for none.
  let refused: RefusedToken?
  /// The validity that the token must have at least; nil for the profile's own limit.
  let minValidity: Duration?
  /// How long the token may be reused without the store; nil for the profile's own time.
  let cache: Duration?

  /// - Parameters:
  ///   - address: a URL that selects the profile; any other text is the name of one.
  ///   - refused: the token that the API has refused.
  /// - Throws: ``AuthError/usage(_:)``.
  init(_ invocation: Invocation, address: String? = nil, refused: RefusedToken? = nil) throws(AuthError) {
    let url = address.flatMap { $0.contains(bytes: "://") ? $0 : nil }
    self.address = try url.map { text throws(AuthError) in try CallTarget.url(text) }
    self.refused = refused
    profile = try ProfileSelection(invocation, operands: url == nil ? nil : [])
    minValidity = invocation.duration(TokenOptions.minValidity)
    cache = invocation.duration(.cache)
  }
}
