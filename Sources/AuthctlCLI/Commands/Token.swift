import AuthCore
import HTTPTypes

extension Command {
  static let token = Command(
    name: "token", summary: "print an access token that is valid",
    description: """
      Prints the access token, renewed first where less than `--min-validity` is left of it. For tools that can't be \
      run through `authctl call`; whoever reads the output has the token.
      """,
    options: [TokenOptions.minValidity, TokenOptions.header],
    examples: [
      Example(
        "curl -H @<(authctl token --header) https://api.example.com/me", "Gives curl the header, out of sight of `ps`."),
      Example(
        "TOKEN=$(authctl token --min-validity 5m)", "Takes a token with five minutes left, where the server gives such."
      ),
    ],
    run: { invocation, context in
      let settings = Settings(invocation, context)
      let minValidity = try invocation.duration(TokenOptions.minValidity)
      if let given = try context.givenToken() {
        try context.console.write(try TokenOptions.line(given, TokenHeader(), invocation) + "\n")
        return .ok
      }
      context.prepareSecrets {}
      let profile = try ProfileChoice(context).profile(invocation)
      guard profile.type != .basic else {
        throw AuthError.usage(
          .init(
            "profile \(profile.name)", why: "it has a password and no token",
            hint: "send requests with it: authctl call --profile \(profile.name) URL"))
      }
      let session = context.session(profile, settings)
      let pair = try await session.manager.token(minValidity: minValidity)
      if pair.needsProof {
        guard !invocation.has(TokenOptions.header) else { throw TokenOptions.unprovable(profile) }
        if !settings.quiet {
          context.console.note(
            "authctl: warning: the token is bound to a key (DPoP): no API takes it without a proof for each request")
        }
      }
      if let minValidity, let left = pair.remaining(at: context.now()), left < minValidity.seconds, !settings.quiet {
        context.console.note(
          "authctl: warning: the server's tokens do not live that long: \(DurationText.describe(max(0, left))) is left")
      }
      try context.console.write(try TokenOptions.line(pair.accessToken, profile.header, invocation) + "\n")
      return .ok
    })
}

/// The options of `token`.
enum TokenOptions {
  static let minValidity = Option(
    "min-validity", .text("DURATION"), summary: "renew unless so much is left",
    detail: "Unless given: the profile's `refresh_before`, which is `60s` where the profile does not say.")
  static let header = Option("header", summary: "print the whole header line")

  /// That a header line alone can't use a token which is bound to a key: each request has a proof of its own.
  static func unprovable(_ profile: Profile) -> AuthError {
    .usage(
      .init(
        "token --header",
        why: "the token of \(profile.name) is bound to a key (DPoP), and each request needs a new proof",
        hint: "send the request with authctl call, which makes the proof"))
  }

  /// The token, or the header line with it.
  static func line(_ token: Secret, _ header: TokenHeader, _ invocation: Invocation) throws(AuthError) -> String {
    guard invocation.has(self.header) else { return token.exposed }
    let field = header.field(token)
    return "\(field.name.rawName): \(field.value)"
  }
}
