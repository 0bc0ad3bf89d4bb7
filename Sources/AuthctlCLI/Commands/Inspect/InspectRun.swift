import AuthCore
import FoundationEssentials
import SystemPackage

/// Collects the report of `inspect`.
struct InspectRun: Sendable {
  private let arguments: InspectArguments
  private let context: Context

  init(_ arguments: InspectArguments, _ context: Context) {
    self.arguments = arguments
    self.context = context
  }

  /// Reads the tokens, checks them, and asks the server as far as the command line allows.
  ///
  /// - Throws: ``AuthError/loginRequired(_:)`` if not logged in, ``AuthError/usage(_:)`` if standard input holds no
  ///   token.
  func report() async throws -> InspectReport {
    switch arguments.source {
    case .session: try await session()
    case .input(let issuer): try await input(issuer)
    }
  }

  // MARK: - A session

  private func session() async throws(AuthError) -> InspectReport {
    let profile = try ProfileChoice(context, requiringFiles: false).profile(arguments.profile)
    guard profile.type != .basic else {
      throw .usage(
        "profile \(profile.name)", why: "it has a user name and a password, no token",
        hint: "run: authctl status \(profile.name)")
    }
    guard !profile.isOnDemand else {
      throw .usage(
        "profile \(profile.name)", why: "nothing is stored (store = \"none\")",
        hint: "run: authctl token -p \(profile.name) | authctl inspect -p \(profile.name) -")
    }
    let log = VerboseLog(context, tokenField: profile.header.name)
    let server = context.server(profile, log)
    guard let pair = try await context.session(of: server, log).storedOrKept() else {
      throw .loginRequired(
        "profile \(profile.name)", why: "not logged in", remedy: .logIn(session: profile.name.string))
    }
    let access = DecodedToken(pair.accessToken)
    let asks = arguments.isOnline || !arguments.isOffline && SignatureCheck.withoutKeys(access) == nil
    let inquiry = asks ? await TokenInquiry(server, of: pair) : nil
    let signature =
      await inquiry?.signature(of: pair.accessToken) ?? SignatureCheck.withoutKeys(access)
      ?? .notChecked("--offline was given")
    // One reading for all times of the report.
    let local = context.now()
    let now = local.addingTimeInterval(pair.localClock.offset ?? 0)
    let tokens = SessionTokens(pair, check: ExpectedClaims(profile, pair, now: now))
    let report = InspectReport(
      profile: profile.name, time: now, tokens: tokens.inspected(access, signature, at: local))
    guard arguments.isOnline, let inquiry else { return report }
    return await asking(inquiry, pair.accessToken, .access, report, hiding: tokens.known)
  }

  // MARK: - Standard input

  private func input(_ issuer: WebURL?) async throws(AuthError) -> InspectReport {
    let token = try InspectRun.token(in: try context.console.readAllSecretInput(for: "inspect -"))
    let decoded = DecodedToken(token)
    let kind = TokenKind(of: decoded)
    let match = if let issuer { ServerMatch(issuer: issuer) } else { try profile(for: decoded) }
    let keyless = SignatureCheck.withoutKeys(decoded)
    let asks = arguments.isOnline || !arguments.isOffline && keyless == nil
    let requests = asks ? RequestLog(context) : nil
    var inquiry: TokenInquiry?
    if let requests, let profile = match.profile {
      inquiry = await TokenInquiry(server(of: profile, requests), of: nil)
    }
    let reason = arguments.isOffline ? "--offline was given" : match.reason
    let signature = await inquiry?.signature(of: token) ?? keyless ?? .notChecked(reason)
    let known = KnownSecrets()
    known.add(token: token)
    // The server's clock is known if it was asked.
    let clock = requests?.records.compactMap(\.clock).last
    let now = context.now().addingTimeInterval(clock?.offset ?? 0)
    let left = decoded.claims?["exp"]?.lenientNumber.map { $0 - now.timeIntervalSince1970 }
    var check = ExpectedClaims(now: now)
    if let profile = match.compared {
      check = ExpectedClaims(profile, nil, now: now)
    }
    let findings = ClaimFinding.clock(clock) + check.findings(kind, decoded.claims, expiresIn: left)
    let report = InspectReport(
      profile: match.compared?.name, time: now,
      tokens: [InspectedToken(kind, token, decoded, signature, findings, left, known)])
    guard arguments.isOnline, let inquiry else { return report }
    return await asking(inquiry, token, kind, report, hiding: known)
  }

  private func server(of profile: Profile, _ requests: RequestLog) -> AuthorizationServer {
    let log = VerboseLog(context, tokenField: profile.header.name)
    return context.observing(requests.observer).server(profile, events: log.events)
  }

  /// Reads a token, alone or as the value of a header line.
  private static func token(in text: String) throws(AuthError) -> Secret {
    var words = text.split(atAny: " \t\r\n")
    if words.first?.lowercased() == "authorization:" { words.removeFirst() }
    if words.count > 1, ["bearer", "dpop"].contains(words.first?.lowercased()) { words.removeFirst() }
    guard let word = words.first, words.count == 1 else {
      let why = words.isEmpty ? "standard input is empty" : "standard input holds more than a token"
      throw noToken(why)
    }
    guard String(word).isVisibleASCII, !word.starts(withBytes: "{"), !word.starts(withBytes: "\"") else {
      throw noToken("standard input does not hold a token")
    }
    return Secret(String(word))
  }

  private static func noToken(_ why: String) -> AuthError {
    .usage("inspect -", why: why, hint: "pass the token alone, e.g. jq -r .access_token FILE | authctl inspect -")
  }

  /// Finds the profile with which a token is compared: the named one, else the one whose issuer is the token's.
  private func profile(for token: DecodedToken) throws(AuthError) -> ServerMatch {
    let choice = ProfileChoice(context, requiringFiles: false)
    if let name = try choice.named(arguments.profile) { return ServerMatch(try choice.profile(named: name)) }
    let profiles = try choice.profiles(ofIssuer: token.claims?["iss"]?.string)
    let match = ServerMatch(of: token, among: profiles)
    guard arguments.isOnline else { return match }
    // The token is sent with the client and through the network settings of one profile.
    guard profiles.count < 2 || match.compared != nil else {
      let names = profiles.map(\.name.string).joined(separator: ", ")
      throw .usage("--online", why: "more than one profile matches: \(names)", hint: "add --profile NAME")
    }
    guard match.profile != nil else {
      throw .usage("--online", why: match.reason, hint: "add --profile NAME")
    }
    return match
  }

  // MARK: - The server

  /// Adds what the server says about a token.
  private func asking(
    _ inquiry: TokenInquiry, _ token: Secret, _ kind: TokenKind, _ report: InspectReport, hiding known: KnownSecrets
  ) async -> InspectReport {
    var report = report
    let claims = report.tokens.first?.claims
    let introspection = await InspectRun.statement(hiding: known) { () throws(AuthError) in
      try await inquiry.introspection(of: token, kind)
    }
    report.introspection = introspection
    report.add(introspection.claims.map { ClaimComparison.introspection($0, of: claims) } ?? [], to: kind)
    // Only an access token opens the user info endpoint.
    guard kind == .access else { return report }
    let userinfo = await InspectRun.statement(hiding: known) { () throws(AuthError) in
      try await inquiry.userInfo(for: token)
    }
    report.userinfo = userinfo
    let idToken = report.tokens.first { $0.kind == .id }?.claims
    report.add(
      userinfo.claims.map { ClaimComparison.userInfo($0, of: idToken, access: claims) } ?? [],
      to: idToken == nil ? .access : .id)
    return report
  }

  private static func statement(
    hiding known: KnownSecrets, _ ask: () async throws(AuthError) -> JSONValue
  ) async -> ServerStatement {
    do throws(AuthError) {
      return .claims(try await ask().redacted(known))
    } catch {
      return .failure(why: known.redacting(error.explanation.why), hint: ErrorReport(error).hint)
    }
  }
}
