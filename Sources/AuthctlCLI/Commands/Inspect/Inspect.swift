import AuthCore

extension Command {
  static let inspect = Command(
    name: "inspect", summary: "explain the tokens, and compare them with the profile",
    operands: [Operand("PROFILE|-", optional: true, completion: .profile)],
    description: """
      Decodes the stored tokens of a profile, or with `-` one token from standard input: header and claims, times in \
      local time and relative, by the server's clock where it is known. It checks the signature of a JWT with the \
      server's keys, and compares issuer, audience, scope, client and key binding with the profile. No token and no \
      signature is printed.

      Problems are listed first; if the API refused the access token and has not accepted it since, the first line \
      quotes that. An opaque token can be read by its server only: use `--online`. A refresh token is \
      described by its form and expiry only. Only the claims of the ID token are stored, at login \
      and at a refresh that returns one.

      The exit status is 0 regardless of the findings; 3 if the profile is not logged in; 2 if standard input holds no \
      token, or the profile has a password instead of tokens; 4 if the keyring can't be read.
      """,
    options: [
      InspectOptions.online, InspectOptions.offline, InspectOptions.explain, InspectOptions.issuer, .json,
    ],
    examples: [
      Example("authctl inspect work", "Explains the tokens of a profile."),
      Example("authctl inspect --online --explain", "Asks the server about the token; explains each claim."),
      Example("wl-paste | authctl inspect -", "Explains the token in the clipboard."),
      Example(
        "authctl inspect --json | jq '.tokens[].findings'", "Prints what differs from the profile."),
    ],
    sections: [
      Section(
        "REQUESTS",
        """
        The signature of an access token that is a JWT is checked with the keys of the profile's server (`jwks_uri`), \
        which are requested from it. For a token from standard input the server is that of the profile that is named, \
        else of the profile whose `issuer` is the token's `iss`, else the one of `--issuer`; without any of them the \
        signature is not checked, because the token itself can name any server. `--offline` sends no \
        request.

        The token itself is sent only with `--online`, and only to the server that issued it, or for an opaque token \
        to the server of the named profile: to its introspection endpoint (RFC 7662), with the client's \
        authentication, and to its user info endpoint (OpenID Connect). Most servers let only clients with a secret \
        introspect.
        """),
      Section(
        "JSON",
        """
        `--json` prints one object:

            {"profile": "work", "tokens": [{"kind": "access",
              "format": "jwt", "header": {…}, "claims": {…},
              "signature": {"state": "valid", "reason": null},
              "findings": [{"claim": "aud", "message": "…"}],
              "expires_in": 582}],
             "introspection": null, "userinfo": null}

        - `profile`: null for a token that was not compared with a profile.
        - `kind`: `access`, `refresh` or `id`. `format`: `jwt`, `encrypted`, `opaque`, or `damaged` for what looks \
          like a JWT and can't be decoded.
        - `header`, `claims`: null if they can't be read, and for a refresh token. Secrets in them are redacted.
        - `signature.state`: `valid`, `invalid` or `not_checked`; `reason` is null for `valid`.
        - `findings`: the problems; `claim` is `signature` for a wrong signature, `format` for a damaged token, and \
          `api` if the API refused the token and has not accepted it since.
        - `expires_in`: seconds, negative after the expiry; null if unknown.
        - `introspection`, `userinfo`: the server's response, or `{"error": "…"}`; null without `--online`.
        - `explanations`: with `--explain` only; each registered name that occurs, and its meaning.
        """),
      Section(
        "CLAIMS",
        "The meaning of the registered claims, as `--explain` shows it:\n\n"
          + ClaimExplanation.claims.map { "- `\($0.name)`: \($0.text)." }.joined(separator: "\n")),
    ])
}

extension RunnableCommand {
  static let inspect = RunnableCommand(.inspect, InspectArguments.init) { arguments, context in
    let report = try await InspectRun(arguments, context).report()
    guard !context.verbosity.printsJSON else {
      try context.console.write(try report.json(explains: arguments.explains).text() + "\n")
      return .ok
    }
    let text = InspectText(
      report: report, time: LocalTime(now: report.time, offset: context.utcOffset),
      colour: context.verbosity.colour.output, explains: arguments.explains)
    try context.console.write(context.program.named(hint: text.text))
    return .ok
  }
}

/// The options of `inspect`.
enum InspectOptions {
  static let online = Option(
    "online", summary: "send the token to its server, for introspection and userinfo",
    detail: "The server's response is shown beside the claims, with the differences marked.")
  static let offline = Option("offline", summary: "send no request; the signature is not checked")
  static let explain = Option("explain", summary: "explain each registered claim")
  static let issuer = Option(
    "issuer", .text("URL"), summary: "check a token from stdin with the keys of this issuer")
}

/// The command line of `inspect`.
struct InspectArguments: Sendable {
  /// The source of the token.
  enum Source: Sendable, Equatable {
    /// The stored tokens of the profile.
    case session
    /// Standard input; with the issuer whose keys check the signature, if it is given.
    case input(issuer: WebURL?)
  }

  /// The source of the token.
  let source: Source
  /// The profile; for standard input, none if none is named.
  let profile: ProfileSelection
  /// Whether the token is sent to its server.
  let isOnline: Bool
  /// Whether no request is sent.
  let isOffline: Bool
  /// Whether the registered claims are explained.
  let explains: Bool

  /// - Throws: ``AuthError/usage(_:)``.
  init(_ invocation: Invocation) throws(AuthError) {
    let readsInput = invocation.operands == ["-"]
    profile = try ProfileSelection(invocation, operands: readsInput ? [] : nil)
    isOnline = invocation.has(InspectOptions.online)
    isOffline = invocation.has(InspectOptions.offline)
    explains = invocation.has(InspectOptions.explain)
    guard !isOnline || !isOffline else {
      throw .usage("--offline", why: "--online is given, too", hint: "remove one of them")
    }
    guard let text = invocation.value(InspectOptions.issuer) else {
      source = readsInput ? .input(issuer: nil) : .session
      return
    }
    guard readsInput else {
      throw InspectArguments.fault("it is for a token from standard input", hint: "use: authctl inspect - --issuer URL")
    }
    for (option, isGiven) in [("--online", isOnline), ("--offline", isOffline), ("--profile", profile.option != nil)] {
      guard !isGiven else {
        throw InspectArguments.fault("\(option) is given, too", hint: "remove one of them")
      }
    }
    source = .input(issuer: try InspectArguments.issuer(text))
  }

  private static func issuer(_ text: String) throws(AuthError) -> WebURL {
    let url: WebURL
    do { url = try WebURL(text) } catch {
      throw fault("not a usable URL: \(error)", hint: "use the server's issuer, e.g. https://id.example.com")
    }
    guard url.origin.isSecure else { throw fault("plain http (loopback only)", hint: "use an https issuer") }
    return url
  }

  private static func fault(_ why: String, hint: String) -> AuthError {
    .usage("--issuer", why: why, hint: hint)
  }
}
