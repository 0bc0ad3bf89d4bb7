import Testing

@testable import AuthCore

@Suite("TokenResponse")
struct TokenResponseTests {
  private func response(_ text: String) throws -> TokenResponse {
    try TokenResponse(JSONValue(parsing: Array(text.utf8)))
  }

  @Test("the example of RFC 6749, section 5.1 is read, further members passed over")
  func example() throws {
    let read = try response(
      #"{"access_token":"2YotnFZFEjr1zCsicMWpAA","token_type":"example","expires_in":3600,"#
        + #""refresh_token":"tGzv3JOkF0XG5Qx2TlKWIA","example_parameter":"x","iat":1.5,"session_state":{}}"#)
    #expect(
      read
        == TokenResponse(
          accessToken: Secret("2YotnFZFEjr1zCsicMWpAA"), refreshToken: Secret("tGzv3JOkF0XG5Qx2TlKWIA"),
          tokenType: "example", expiresIn: 3600))
  }

  @Test(
    "expires_in comes in many forms (real-servers.md, 6)",
    arguments: [
      ("3600", 3600), (#""3600""#, 3600), ("3599.5", 3599.5), (#""3599.5""#, 3599.5), ("0", nil), ("-1", nil),
      ("null", nil), (#""soon""#, nil), ("true", nil), ("[]", nil), ("1e300", 1e10),
    ] as [(String, Double?)])
  func expiresIn(form: String, expected: Double?) throws {
    #expect(try response(#"{"access_token":"a","expires_in":\#(form)}"#).expiresIn == expected)
    #expect(try response(#"{"access_token":"a","refresh_expires_in":\#(form)}"#).refreshExpiresIn == expected)
    #expect(try response(#"{"access_token":"a","refresh_token_expires_in":\#(form)}"#).refreshExpiresIn == expected)
  }

  @Test(
    "token_type is taken as it is spelt, Bearer where it is absent (real-servers.md, 8)",
    arguments: [
      (#","token_type":"bearer""#, "bearer"), (#","token_type":"DPoP""#, "DPoP"), ("", "Bearer"),
      (#","token_type":null"#, "Bearer"), (#","token_type":1"#, "Bearer"),
    ])
  func tokenType(member: String, expected: String) throws {
    #expect(try response(#"{"access_token":"a"\#(member)}"#).tokenType == expected)
  }

  @Test(
    "scope is a string (RFC 6749, section 3.3) or an array, and may be absent (real-servers.md, 11)",
    arguments: [
      (#","scope":"a b""#, ["a", "b"]), (#","scope":["a","b"]"#, ["a", "b"]), (#","scope":"""#, []), ("", nil),
      (#","scope":[1]"#, nil), (#","scope":null"#, nil),
    ] as [(String, [String]?)])
  func scope(member: String, expected: [String]?) throws {
    #expect(try response(#"{"access_token":"a"\#(member)}"#).scope == expected)
  }

  @Test(
    "a response without a usable access token is unusable, and the reason does not quote it",
    arguments: [
      ("[]", "the response is not a JSON object"), (#""token""#, "the response is not a JSON object"),
      ("{}", "the response has no access_token"), (#"{"access_token":""}"#, "the response has no access_token"),
      (#"{"access_token":null}"#, "the response has no access_token"),
      (#"{"access_token":1}"#, "access_token is not a string"),
      (#"{"access_token":"s3cr3t\r\nX-Evil: 1"}"#, "access_token contains characters that no token has"),
      (#"{"access_token":"s3cr3t\u0000"}"#, "access_token contains characters that no token has"),
      (#"{"access_token":"s3cr3tä"}"#, "access_token contains characters that no token has"),
      (#"{"access_token":"a","refresh_token":"s3cr3t\n"}"#, "refresh_token contains characters that no token has"),
      (#"{"access_token":"a","refresh_token":{}}"#, "refresh_token is not a string"),
      (#"{"access_token":"a","id_token":"s3cr3t\t"}"#, "id_token contains characters that no token has"),
    ])
  func malformed(text: String, reason: String) {
    #expect(throws: TokenResponse.Malformed(reason: reason)) { try response(text) }
  }

  @Test("an empty refresh token is as good as none")
  func emptyRefreshToken() throws {
    #expect(try response(#"{"access_token":"a","refresh_token":""}"#).refreshToken == nil)
    #expect(try response(#"{"access_token":"a","refresh_token":null}"#).refreshToken == nil)
  }

  @Test("of the granted scope only well-formed words are kept (RFC 6749, section 3.3)")
  func scopeWords() throws {
    let text = #"{"access_token":"a","scope":"read \u001b[2Jx wri\\te a\"b über a:b/c.d \u202e !#[]~"}"#
    #expect(try TokenResponse(JSONValue(parsing: text.utf8)).scope == ["read", "a:b/c.d", "!#[]~"])
  }
}
