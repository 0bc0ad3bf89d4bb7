import HTTPTypes
import Testing

@testable import AuthCore

@Suite("RefusalRule")
struct RefusalRuleTests {
  private static let scope = #"Bearer error="insufficient_scope", scope="write""#
  private static let lackOfScope = RefusalRule.Verdict.insufficient(InsufficientAuthorization(.scope, scope: ["write"]))
  private static let stepUp = #"Bearer error="insufficient_user_authentication", max_age="5""#
  private static let lackOfLogin = RefusalRule.Verdict.insufficient(
    InsufficientAuthorization(.userAuthentication, maxAge: 5))
  private static let nonce = #"DPoP error="use_dpop_nonce""#
  private static let invalid = #"Bearer error="invalid_token""#

  private static let json = "application/json; charset=utf-8"
  private static let expired = #"{"success":false,"errorCode":"TOKEN_EXPIRED"}"#

  private func response(
    _ status: Int, challenge: String? = nil, type: String? = nil, length: Int? = nil, body: String = ""
  ) -> TransferResponse {
    var fields: HTTPFields = [:]
    fields[.wwwAuthenticate] = challenge
    fields[.contentType] = type
    fields[.contentLength] = length.map { "\($0)" }
    return TransferResponse(status: status, fields: fields, body: Array(body.utf8))
  }

  /// The rule of a profile with a code, and with a flag of success.
  private func rule() throws -> RefusalRule {
    RefusalRule(try customProfile(response: "refresh_on_codes = [\"TOKEN_EXPIRED\"]"))
  }

  @Test(
    "a status of the rule refuses the token, whatever the challenge says of it",
    arguments: [
      (401, nil, [401], .refused), (401, invalid, [401], .refused), (401, "Bearer", [401], .refused),
      (403, nil, [401, 403], .refused), (400, nil, [400], .refused), (403, nil, [401], .usable),
      (401, nil, [403], .usable), (401, nil, [], .usable), (401, invalid, [], .usable), (200, nil, [401], .usable),
      (500, invalid, [401], .usable),
    ] as [(Int, String?, Set<Int>, RefusalRule.Verdict)])
  func statuses(status: Int, challenge: String?, statuses: Set<Int>, expected: RefusalRule.Verdict) {
    #expect(RefusalRule(statuses: statuses).verdict(on: response(status, challenge: challenge)) == expected)
  }

  @Test(
    "a challenge that the token is not enough precedes the statuses (RFC 6750, section 3.1; RFC 9470, section 3)",
    arguments: [
      (401, scope, [401], lackOfScope), (403, scope, [401], lackOfScope), (403, scope, [401, 403], lackOfScope),
      (403, scope, [], lackOfScope), (401, stepUp, [401], lackOfLogin), (400, scope, [400], .refused),
      (200, scope, [401], .usable), (401, "\(scope), \(invalid)", [401], .refused),
    ] as [(Int, String, Set<Int>, RefusalRule.Verdict)])
  func insufficient(status: Int, challenge: String, statuses: Set<Int>, expected: RefusalRule.Verdict) {
    #expect(RefusalRule(statuses: statuses).verdict(on: response(status, challenge: challenge)) == expected)
  }

  @Test(
    "a challenge for a nonce says nothing against the token (RFC 9449, section 9)",
    arguments: [(401, [401]), (400, [400])] as [(Int, Set<Int>)])
  func nonceDemand(status: Int, statuses: Set<Int>) {
    let response = response(status, challenge: RefusalRuleTests.nonce)
    #expect(RefusalRule(statuses: statuses).verdict(on: response) == .usable)
  }

  @Test(
    "only JSON of a limited length, of an error or of a profile with a flag of success, may have a code",
    arguments: [
      (400, json, nil, .dependsOnBody), (419, "application/problem+json", nil, .dependsOnBody),
      (500, json, 65536, .dependsOnBody), (200, json, nil, .dependsOnBody), (500, json, 65537, .usable),
      (400, "text/plain", nil, .usable), (400, nil, nil, .usable), (401, json, nil, .refused),
    ] as [(Int, String?, Int?, RefusalRule.Verdict)])
  func mayHaveCode(status: Int, type: String?, length: Int?, expected: RefusalRule.Verdict) throws {
    #expect(try rule().verdict(on: response(status, type: type, length: length)) == expected)
  }

  @Test("a rule without codes never depends on the body")
  func noCodes() throws {
    for rule in [
      RefusalRule(), RefusalRule(try customProfile()), RefusalRule(try sampleProfile()),
    ] {
      #expect(rule.verdict(on: response(400, type: RefusalRuleTests.json)) == .usable)
      #expect(rule.verdict(onBody: Array(RefusalRuleTests.expired.utf8), status: 400) == .usable)
    }
  }

  @Test(
    "a code of the rule refuses the token; a response that succeeds has none",
    arguments: [
      (400, expired, .refused), (200, expired, .refused), (400, #"{"errorCode":"OTHER"}"#, .usable),
      (200, #"{"errorCode":"TOKEN_EXPIRED"}"#, .usable), (400, "TOKEN_EXPIRED", .usable), (400, "", .usable),
      (400, nil, .usable),
    ] as [(Int, String?, RefusalRule.Verdict)])
  func codes(status: Int, body: String?, expected: RefusalRule.Verdict) throws {
    #expect(try rule().verdict(onBody: body.map { Array($0.utf8) }, status: status) == expected)
  }

  @Test(
    "of a whole response, the challenge decides before the status, and the status before the code",
    arguments: [
      (400, nil, expired, true), (400, nil, "{}", false), (401, nil, "{}", true), (403, scope, expired, false),
      (401, nonce, expired, false), (403, invalid, expired, true),
    ] as [(Int, String?, String, Bool)])
  func refuses(status: Int, challenge: String?, body: String, expected: Bool) throws {
    let response = response(status, challenge: challenge, type: RefusalRuleTests.json, body: body)
    #expect(try rule().refuses(response) == expected)
  }

  @Test("a password can't be refreshed: nothing refuses it")
  func password() throws {
    let profile = try sampleProfile { $0.type = .basic }
    #expect(RefusalRule(profile).verdict(on: response(401)) == .usable)
  }
}
