import AuthCore

extension Command {
  static let inspect = Command(
    name: "inspect", summary: "explain the tokens, and compare them with the profile",
    operands: [Operand("PROFILE|-", optional: true, completion: .profile)],
    manual: Manual(PackageResources.inspect_md, inserting: ["{claims}": ClaimExplanation.markup]),
    options: [InspectOptions.online, InspectOptions.offline, InspectOptions.explain, InspectOptions.issuer, .json])
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
  static let online = Option("online", summary: "send the token to its server, for introspection and userinfo")
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
