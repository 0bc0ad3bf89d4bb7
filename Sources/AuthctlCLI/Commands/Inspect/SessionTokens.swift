import AuthCore
import FoundationEssentials

/// The tokens of a session as `inspect` explains them.
struct SessionTokens: Sendable {
  /// The secrets of the session, which are redacted wherever they are.
  let known = KnownSecrets()
  private let pair: TokenPair
  private let check: ExpectedClaims

  init(_ pair: TokenPair, check: ExpectedClaims) {
    self.pair = pair
    self.check = check
    known.add(token: pair.accessToken)
    if let refreshToken = pair.refreshToken { known.add(token: refreshToken) }
  }

  /// Returns the access token, the refresh token and the ID token, as far as they exist.
  ///
  /// - Parameter now: the local time, to which the session's own clock correction is applied.
  func inspected(_ access: DecodedToken, _ signature: SignatureCheck, at now: Date) -> [InspectedToken] {
    let left = pair.remaining(at: now)
    let findings =
      ClaimFinding.refusal(pair.lastingRefusal, at: now) + ClaimFinding.clock(pair.localClock)
      + check.findings(.access, access.claims, expiresIn: left)
    let first = InspectedToken(.access, pair.accessToken, access, signature, findings, left, known)
    return [first] + [refreshToken(at: now), idToken].compactMap { $0 }
  }

  private func refreshToken(at now: Date) -> InspectedToken? {
    guard let token = pair.refreshToken else { return nil }
    let left = pair.refreshRemaining(at: now)
    return InspectedToken(
      .refresh, token, DecodedToken(token), .notChecked("only the authorization server checks it"),
      refusal + check.findings(.refresh, nil, expiresIn: left), left, known)
  }

  /// The finding that the server has refused the refresh token.
  private var refusal: [ClaimFinding] {
    guard let failure = pair.lastError, failure.final else { return [] }
    let words = failure.description.map { ": " + $0 } ?? ""
    return [ClaimFinding("error", "the server has refused it (\(failure.error)\(words)): a new login is necessary")]
  }

  private var idToken: InspectedToken? {
    guard let decoded = pair.idTokenClaims.flatMap({ DecodedToken(claims: $0) }) else { return nil }
    let left = decoded.claims?["exp"]?.lenientNumber.map { $0 - check.now.timeIntervalSince1970 }
    // Tokens that were given to a login have not been checked by it.
    let signature = pair.flow == Flow.token.rawValue ? "the token was given to the login" : "checked at login"
    return InspectedToken(
      .id, nil, decoded, .notChecked(signature), check.findings(.id, decoded.claims, expiresIn: left), left, known)
  }
}

extension ClaimFinding {
  /// Returns the finding that the local clock is wrong, if it is; nil stands for a clock that is not compared.
  static func clock(_ clock: LocalClock?) -> [ClaimFinding] {
    clock?.warning.map { [ClaimFinding("exp", $0)] } ?? []
  }

  /// The member `claim` of the finding that the API has refused the token.
  static let api = "api"

  /// Returns the finding that the API has refused the access token; nil stands for a token that it has not refused.
  static func refusal(_ refusal: TokenPair.Refusal?, at now: Date) -> [ClaimFinding] {
    guard let refusal else { return [] }
    let age = DurationText.describe(max(0, now.timeIntervalSince(refusal.at)))
    return [ClaimFinding(api, "the API refused it \(age) ago: \(refusal.statusWords), for \(refusal.request)")]
  }
}

extension InspectedToken {
  /// Creates the explanation of a token. Of a refresh token, only its form is explained.
  ///
  /// - Parameters:
  ///   - token: nil for the stored claims of an ID token.
  ///   - known: secrets that are redacted in header and claims.
  init(
    _ kind: TokenKind, _ token: Secret?, _ decoded: DecodedToken, _ signature: SignatureCheck,
    _ findings: [ClaimFinding], _ expiresIn: Double?, _ known: KnownSecrets
  ) {
    let isShown = kind != .refresh
    let wrong =
      signature.state == .invalid ? [ClaimFinding("signature", "invalid signature: \(signature.reason ?? "")")] : []
    let damage =
      isShown && decoded.format == .damaged
      ? [ClaimFinding("format", "it looks like a JWT, but can't be decoded: it is cut or damaged")] : []
    self.init(
      kind: kind, format: decoded.format, header: isShown ? decoded.header?.redacted(known) : nil,
      claims: isShown ? decoded.claims?.redacted(known) : nil,
      identity: token.map { "\($0.exposed.utf8.count) characters, \($0.fingerprint)" }, signature: signature,
      findings: damage + wrong + findings, expiresIn: expiresIn)
  }
}

extension InspectReport {
  /// Adds the differences between a token and a statement of the server.
  mutating func add(_ findings: [ClaimFinding], to kind: TokenKind) {
    serverDifferences.formUnion(findings.map(\.claim))
    guard let index = tokens.firstIndex(where: { $0.kind == kind }) else { return }
    tokens[index].findings += findings
  }
}
