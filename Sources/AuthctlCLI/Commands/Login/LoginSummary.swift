import AuthCore

/// The text after a login: the user, warnings about later failures, and the next command.
struct LoginSummary: Sendable {
  private let pair: TokenPair
  private let session: TokenSession
  private let target: LoginTarget
  private let context: Context
  private var profile: Profile { target.profile }

  /// - Parameters:
  ///   - pair: the tokens of the login.
  ///   - session: the session that has stored them.
  ///   - target: the profile of the login.
  init(_ pair: TokenPair, _ session: TokenSession, _ target: LoginTarget, _ context: Context) {
    self.pair = pair
    self.session = session
    self.target = target
    self.context = context
  }

  /// Prints the text.
  ///
  /// - Throws: `Errno` if standard output can't be written.
  func print() throws {
    if context.verbosity.printsJSON {
      try context.console.write(try ProfileStatus(profile, session, pair, at: context.now()).json.text() + "\n")
    }
    guard !context.verbosity.quiet else { return }
    for warning in [apiWarning, audienceWarning, refreshWarning].compactMap(\.self) {
      context.console.note("authctl: warning: \(warning)")
    }
    let who = pair.subject.map { " as \(Escaped.text($0))" } ?? ""
    let until = pair.remaining(at: context.now()).map { ", token valid for \(DurationText.describe($0))" } ?? ""
    let refresh = session.canRefresh(pair) ? ", refreshes automatically" : ""
    let begin = context.console.terminals.error ? "✓" : "authctl:"
    context.console.show(
      profile.isOnDemand
        ? "\(begin) the server issues tokens for \(profile.name)\(until); nothing is stored, no login is needed"
        : "\(begin) logged in to \(profile.name)\(who)\(until)\(refresh)", as: .success)
    let file = context.profiles.file(of: profile.name)
    if target.newFile != nil { context.console.note("authctl: settings written to \(file)") }
    if let addition = target.addition { context.console.note("authctl: \(addition.line) added to \(file)") }
    if let next { context.console.note("Next: \(next)") }
  }

  private var apiWarning: String? {
    guard profile.api.isEmpty else { return nil }
    return "no api is set: authctl call refuses every URL; run: "
      + LoginAddress.command(adding: nil, to: profile.name)
  }

  /// The warning about a token for another API than the requested one (RFC 8707, section 2; RFC 9068,
  /// section 4).
  private var audienceWarning: String? {
    let audience = pair.accessTokenAudience
    let fits = audience.contains { one in profile.resource.contains { IssuerDiscovery.isSame(one, as: $0) } }
    guard !profile.resource.isEmpty, !audience.isEmpty, !fits else { return nil }
    let shown = [audience, profile.resource].map { $0.map { Escaped.text($0) }.joined(separator: ", ") }
    return "the access token is for \(shown[0]) (aud), not for \(shown[1]): the API may refuse it"
  }

  /// The warning about a session that ends with its access token, although offline access was requested.
  private var refreshWarning: String? {
    guard profile.type == .oauth2, [.browser, .device].contains(profile.flow), !session.canRefresh(pair),
      profile.scope.contains("offline_access") || target.discovered != nil
    else { return nil }
    let file = "authctl profile edit \(profile.name)"
    let parameters = { (text: String) in "\(file), and set authorization = { \(text) } in [parameters]" }
    guard profile.scope.contains("offline_access") else {
      if target.discovered?.server?.scopesSupported.contains("offline_access") == true {
        return "no refresh token: the login did not request offline_access; to add it to scope, run: \(file)"
      }
      return "no refresh token: the server does not list offline_access; if it issues one for other parameters, run: "
        + parameters("access_type = \"offline\", prompt = \"consent\"")
    }
    let isDenied = pair.scope?.contains("offline_access") == false
    let why = isDenied ? "did not grant offline_access" : "issued none, although offline_access was requested"
    let hasPrompt = profile.prompt == "consent" || profile.parameters.authorization["prompt"] == "consent"
    return "no refresh token: the server \(why)"
      + (hasPrompt ? "" : "; if it requires your consent each time, run: " + parameters("prompt = \"consent\""))
  }

  /// The next command, for a profile that is new or was found by its URL.
  private var next: String? {
    guard target.newFile != nil || target.addition != nil || target.isByURL else { return nil }
    guard let base = profile.api.first else { return inspection }
    let url = ShellWord.quoted(base.withoutRootSlash)
    // If there are several profiles, or one can't be read, the name is needed.
    let isOnly = (try? ProfileChoice(context).isOnly(profile, for: base)) ?? false
    return "authctl call " + (isOnly ? "" : "-p \(profile.name) ") + url
  }

  /// The next command for a token that no API is known for; nil if there is no server to ask.
  private var inspection: String? {
    guard profile.type == .oauth2, profile.issuer != nil else { return nil }
    // If there are several profiles, or one can't be read, the name is needed.
    let chosen = try? ProfileChoice(context).profile(ProfileSelection.none)
    return "authctl inspect " + (chosen?.name == profile.name ? "" : "\(profile.name) ") + "--online"
  }
}
