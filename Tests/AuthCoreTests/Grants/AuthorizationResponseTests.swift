import Testing

@testable import AuthCore

@Suite("AuthorizationResponse")
struct AuthorizationResponseTests {
  private func response(
    _ query: String, issuer: String? = "https://id.example", demandsIssuer: Bool = false
  ) throws(AuthorizationResponse.Invalid) -> AuthorizationResponse {
    try AuthorizationResponse(FormEncoding.decode(query), state: "s", issuer: issuer, demandsIssuer: demandsIssuer)
  }

  @Test(
    "a code is taken with the right state, and with the right iss or none (RFC 6749, section 4.1.2; RFC 9207)",
    arguments: ["code=c&state=s", "state=s&code=c&session_state=x", "code=c&state=s&iss=https://id.example"])
  func code(query: String) throws {
    #expect(try response(query) == .code(Secret("c")))
  }

  @Test(
    "a refusal is taken with the right state",
    arguments: ["error=access_denied&state=s", "error=access_denied&state=s&code=c"])
  func denial(query: String) throws {
    #expect(try response(query) == .error(ErrorResponse(error: "access_denied")))
  }

  @Test("an error's words are made safe to show")
  func words() throws {
    #expect(
      try response("error=a%1Bb&error_description=x%0Ay&state=s")
        == .error(ErrorResponse(error: "a\\u{1b}b", errorDescription: "x\\u{a}y")))
  }

  @Test(
    "a response to another login is refused (RFC 6749, section 10.12)",
    arguments: ["code=c&state=S", "code=c&state=x&state=y", "error=access_denied&state=x", "code=c&code=d&state=x"])
  func wrongState(query: String) {
    #expect(throws: AuthorizationResponse.Invalid.wrongState) { try response(query) }
  }

  @Test(
    "a response without state is not accepted, an error neither: anyone can send it (RFC 6749, section 10.12)",
    arguments: [
      ("code=c", nil), ("code=c&state=", nil), ("error=access_denied", "access_denied"),
      ("error=access_denied&code=c", "access_denied"), ("error=a%1Bb&state=", "a\\u{1b}b"),
    ])
  func missingState(query: String, error: String?) {
    #expect(throws: AuthorizationResponse.Invalid.missingState(error: error)) { try response(query) }
  }

  @Test(
    "a response with a parameter twice is refused (RFC 6749, section 3.1)",
    arguments: [
      ("code=c&code=d&state=s", "code"), ("code=c&code=c&state=s", "code"), ("code=c&state=s&state=s", "state"),
      ("code=c&state=x&state=s", "state"), ("code=c&state=s&iss=https://id.example&iss=x", "iss"),
      ("error=a&error=b&state=s", "error"),
    ])
  func repeated(query: String, name: String) {
    #expect(throws: AuthorizationResponse.Invalid.repeated(name)) { try response(query) }
  }

  @Test(
    "a hit without code and error is an error of its own (real-servers.md, 15)",
    arguments: ["", "state=s", "code=&state=s", "error=", "x"])
  func empty(query: String) {
    #expect(throws: AuthorizationResponse.Invalid.empty) { try response(query) }
  }

  @Test(
    "a response from another server is refused, an error response too (RFC 9207, section 2.4)",
    arguments: ["code=c", "error=access_denied"])
  func wrongIssuer(what: String) {
    #expect(throws: AuthorizationResponse.Invalid.wrongIssuer("https://evil.example")) {
      try response("\(what)&state=s&iss=https://evil.example")
    }
  }

  @Test("a code without iss is refused where the server promises one (RFC 9207, section 2.4)")
  func missingIssuer() throws {
    #expect(throws: AuthorizationResponse.Invalid.wrongIssuer(nil)) {
      try response("code=c&state=s", demandsIssuer: true)
    }
    let refusal = try response("error=access_denied&state=s", demandsIssuer: true)
    #expect(refusal == .error(ErrorResponse(error: "access_denied")))
    #expect(try response("code=c&state=s&iss=x", issuer: nil) == .code(Secret("c")))
  }
}
