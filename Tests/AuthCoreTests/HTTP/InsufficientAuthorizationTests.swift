import HTTPTypes
import Testing

@testable import AuthCore

@Suite("InsufficientAuthorization")
struct InsufficientAuthorizationTests {
  private func read(_ status: Int, _ challenges: String...) -> InsufficientAuthorization? {
    var fields: HTTPFields = [:]
    for value in challenges { fields.append(HTTPField(name: .wwwAuthenticate, value: value)) }
    return InsufficientAuthorization(TransferResponse(status: status, fields: fields))
  }

  @Test("insufficient_scope names what the request needs (RFC 6750, section 3.1)", arguments: [401, 403])
  func scope(status: Int) {
    #expect(
      read(status, #"Bearer realm="x", error="insufficient_scope", scope="read write""#)
        == InsufficientAuthorization(.scope, scope: ["read", "write"]))
    #expect(read(status, #"bearer error=insufficient_scope"#) == InsufficientAuthorization(.scope))
    #expect(
      read(status, #"DPoP algs="ES256",error="insufficient_scope",scope=write"#)
        == InsufficientAuthorization(.scope, scope: ["write"]))
  }

  @Test("a step-up challenge names how and how freshly to log in (RFC 9470, section 3)")
  func stepUp() {
    #expect(
      read(401, #"Bearer error="insufficient_user_authentication", acr_values="gold silver", max_age="5", scope=a"#)
        == InsufficientAuthorization(.userAuthentication, scope: ["a"], acrValues: ["gold", "silver"], maxAge: 5))
    #expect(
      read(401, #"Bearer error="insufficient_user_authentication", max_age=0"#)
        == InsufficientAuthorization(.userAuthentication, maxAge: 0))
  }

  @Test("a max_age that is not a number of seconds is ignored", arguments: ["-1", "1.5", "soon", "99999999999", ""])
  func maxAge(text: String) {
    #expect(
      read(401, #"Bearer error="insufficient_user_authentication", max_age="\#(text)""#)
        == InsufficientAuthorization(.userAuthentication))
  }

  @Test(
    "any other challenge is not such a refusal, whatever its parameters",
    arguments: [
      nil, "Bearer", #"Bearer error="invalid_token""#, #"Bearer error="invalid_token", scope="insufficient_scope""#,
      #"Bearer error_description="insufficient_scope""#, #"Basic realm="error=insufficient_scope""#,
      #"Bearer error="insufficient_scope", error="invalid_token""#, #"Bearer error="Insufficient_Scope""#,
      #"Bearer error="insufficient_scope", DPoP error="invalid_token""#,
      "insufficient_scope", "error=insufficient_scope",
    ] as [String?])
  func other(challenge: String?) {
    #expect(challenge.map { read(401, $0) } ?? read(401) == nil)
    #expect(challenge.map { read(403, $0) } ?? read(403) == nil)
  }

  @Test("only 401 and 403 are refusals of a token", arguments: [200, 302, 400, 404, 407, 500])
  func status(status: Int) {
    #expect(read(status, #"Bearer error="insufficient_scope""#) == nil)
  }

  @Test("the challenge may be one of several, in one field or in more")
  func several() {
    let expected = InsufficientAuthorization(.scope, scope: ["a"])
    #expect(read(403, #"Basic realm="x", Bearer error="insufficient_scope", scope="a""#) == expected)
    #expect(read(403, "Negotiate YII=", #"Bearer error="insufficient_scope", scope="a""#) == expected)
  }

  @Test("scopes that cannot be requested are omitted, and repeated ones are named once (RFC 6749, section 3.3)")
  func words() {
    #expect(
      read(403, #"Bearer error="insufficient_scope", scope="a  b a é c\"d e\\f ' $(x)""#)
        == InsufficientAuthorization(.scope, scope: ["a", "b", "'", "$(x)"]))
    let many = (0..<500).map { "s\($0)" }.joined(separator: " ")
    #expect(read(403, "Bearer error=insufficient_scope, scope=\"\(many)\"")?.scope.count == 100)
  }
}
