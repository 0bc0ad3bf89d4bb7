import Testing

@testable import AuthCore

@Suite("Redaction") struct RedactionTests {
  @Test(
    "the value of a field that carries a secret is never shown",
    arguments: [
      "Authorization: Bearer topsecret", "Proxy-Authorization: Basic topsecret", "Cookie: a=topsecret",
      "X-Api-Key: topsecret", "Private-Token: topsecret", "X-Vault-Token: topsecret", "X-My-Session: topsecret",
      "DPoP: topsecret", "X-JFrog-Art-Api: topsecret", "X-My-Key: topsecret", "X-Otp: topsecret", "X-CSRF: topsecret",
      "POST /x?user[password]=topsecret HTTP/1.1", "Ocp-Apim-Subscription-Key: topsecret", "api_key: topsecret",
      "accessToken: topsecret", "X-Session-Id: topsecret", "authorization: Bearer topsecret", "X-Token: topsecret",
      "GET /x?accessToken=topsecret&y=1 HTTP/1.1", "GET /x?apikey=topsecret HTTP/1.1", "GET /x?jwt=topsecret HTTP/1.1",
      "Location: /x?subscription-key=topsecret", "Location: /cb#refreshToken=topsecret", "X-Debug: sessionId=topsecret",
      #"X-Debug: {"refreshToken": "topsecret", "a": 1}"#, "X-Debug: Bearer topsecret1",
      "Location: https://h/cb?code=topsecret&x=1", "GET /x?access_token=topsecret HTTP/1.1",
    ])
  func secret(line: String) {
    let shown = Redaction().headerLine(line)
    #expect(!shown.contains("topsecret"))
    #expect(shown.contains("‹redacted"))
  }

  @Test(
    "a value that is not secret is shown unchanged",
    arguments: [
      "WWW-Authenticate: Bearer realm=\"x\"", "Accept: */*", "GET /x?page=2 HTTP/1.1", "HTTP/1.1 200 OK",
      "Idempotency-Key: 7",
    ])
  func plain(line: String) {
    #expect(Redaction().headerLine(line) == line)
  }

  @Test(
    "a form field: public values, tokens by type, length and fingerprint, guessable secrets not at all",
    arguments: [
      ("grant_type", "refresh_token", "refresh_token"), ("scope", "a b", "a b"),
      ("refresh_token", "topsecret-token", "‹opaque, 15 chars, c0ee8999›"),
      ("code", "topsecret", "‹opaque, 9 chars, 53336a67›"),
      ("id_token", "eyJhbGciOiJub25lIn0.e30.topsecret", "‹JWT, 33 chars, 62eae152›"),
      ("client_secret", "topsecret", "‹redacted›"), ("password", "topsecret", "‹redacted›"),
      ("user_code", "TOPS-ECRET", "‹redacted›"), ("login_hint", "topsecret", "‹9 chars›"),
    ])
  func field(name: String, value: String, shown: String) {
    let redaction = Redaction()
    #expect(redaction.field(name, value) == "\(name)=\(shown)")
    guard shown != value else { return }
    #expect(!redaction.field("error_description", "no \(value)").contains(value) || name == "login_hint")
  }

  @Test("a member that is no text: numbers are shown, objects are not")
  func member() {
    let redaction = Redaction()
    #expect(redaction.member("expires_in", .integer(300)) == "expires_in=300")
    #expect(redaction.member("pin", .integer(1234)) == "pin=‹redacted›")
    #expect(redaction.member("user_code", .integer(482_913)) == "user_code=‹redacted›")
    #expect(redaction.member("verification_code", .integer(482_913)) == "verification_code=‹6 chars›")
    #expect(redaction.member("active", .bool(true)) == "active=true")
    #expect(redaction.member("data", .object(["token": .string("topsecret")])) == "data=‹JSON›")
    #expect(redaction.member("tokens", .array([.string("topsecret")])) == "tokens=‹redacted›")
    #expect(redaction.member("scope", .string("a\u{1B}b")) == "scope=a\\u{1b}b")
  }

  @Test("a long row of regional indicators, each a half of a Character, takes linear time", .timeLimit(.minutes(10)))
  func regionalIndicators() {
    // In quadratic time, a twentieth of it took two seconds.
    let row = String(repeating: "\u{1F1E9}", count: 400_000)
    let redaction = Redaction()
    for name in ["x-token", "set-cookie", "authorization"] {
      redaction.learn(headerLine: "\(name): a b=\(row)")
      #expect(redaction.headerLine("\(name): a b=\(row)").utf8.count < 100)
    }
  }

  @Test("a short secret is replaced in the server's texts as a whole word, and nowhere else")
  func shortSecrets() {
    let redaction = Redaction()
    #expect(redaction.field("password", "test") == "password=‹redacted›")
    #expect(redaction.field("scope", "test") == "scope=test")
    #expect(
      redaction.member("error_description", .string("no test, latest")) == "error_description=no ‹redacted›, latest")
    #expect(redaction.receivedLine("X-Echo: test test2") == "X-Echo: ‹redacted› test2")
    #expect(redaction.receivedLine("Test: x") == "Test: x")
    #expect(redaction.headerLine("X-Echo: test") == "X-Echo: test")
    #expect(redaction.knownValues("the test") == "the test")
    let basic = Redaction()
    // alice:1234
    basic.learn(headerLine: "Authorization: Basic YWxpY2U6MTIzNA==")
    #expect(basic.serverText("PIN 1234, 12345") == "PIN ‹redacted›, 12345")
  }

  @Test("the name of a secret that is added later counts from then on")
  func addedName() {
    let redaction = Redaction()
    #expect(redaction.headerLine("Guest: topsecret") == "Guest: topsecret")
    redaction.add(secretName: "Guest")
    #expect(redaction.headerLine("Guest: topsecret").hasPrefix("Guest: ‹redacted "))
  }

  @Test("a whole value is shown without known secrets, names of secrets and long words")
  func whole() {
    let redaction = Redaction()
    redaction.learn(value: "topsecret-token")
    func shown(_ value: JSONValue) -> String { redaction.member("x", value, isWhole: true) }
    #expect(redaction.field("login_hint", "alice", isWhole: true) == "login_hint=alice")
    #expect(shown(.string("a topsecret-token b")) == "x=a ‹redacted› b")
    #expect(shown(.string("urn:x:6esc_11ACC5bwc014ltc14eY22c")) == "x=urn:x:‹redacted›")
    let nested = JSONValue.object(["a": .array([.integer(1)]), "secret": .string("long-enough")])
    #expect(shown(nested) == #"x={"a":[1],"secret":"‹redacted›"}"#)
    #expect(redaction.member("tokens", .array([.string("x")]), isWhole: true) == "tokens=‹redacted›")
  }

  @Test(
    "claims are shown as they are, except for values with the name of a secret and private keys",
    arguments: [
      (
        #"{"aud":["a"],"auth_time":1,"exp":5,"iss":"https://id.example","sid":"0123456789","token_use":"access"}"#,
        #"{"aud":["a"],"auth_time":1,"exp":5,"iss":"https://id.example","sid":"0123456789","token_use":"access"}"#
      ),
      (
        #"{"cnf":{"jkt":"0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"},"scope":"a b"}"#,
        #"{"cnf":{"jkt":"0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"},"scope":"a b"}"#
      ),
      (#"{"api_key":"topsecret","key":"short"}"#, #"{"api_key":"‹redacted›","key":"short"}"#),
      (
        #"{"token":{"expires_at":"2026-01-01","note":"a word","value":["topsecret"]}}"#,
        #"{"token":{"expires_at":"2026-01-01","note":"a word","value":["‹redacted›"]}}"#
      ),
      (#"{"d":"0123456789","k":"0123456789"}"#, #"{"d":"0123456789","k":"0123456789"}"#),
      (#"{"jwk":{"d":"topsecret","kty":"EC","x":"public"}}"#, #"{"jwk":{"d":"‹redacted›","kty":"EC","x":"public"}}"#),
      (#"{"note":"see https://u:topsecret@h"}"#, #"{"note":"see https://‹redacted›@h"}"#),
    ])
  func claims(text: String, shown: String) throws {
    #expect(try JSONValue(parsing: Array(text.utf8)).redacted(KnownSecrets()).text() == shown)
  }

  @Test("a JWT is readable without its signature, which is a known secret from then on")
  func readable() throws {
    let redaction = Redaction()
    let token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIiwicGFzc3dvcmQiOiJ0b3BzZWNyZXQifQ.c2lnbmF0dXJl"
    let readable = try #require(redaction.readable(token))
    #expect(readable.header == #"{"alg":"none"}"#)
    #expect(readable.claims == #"{"password":"‹redacted›","sub":"a"}"#)
    #expect(redaction.knownValues("c2lnbmF0dXJl") == "‹redacted›")
    #expect(redaction.readable("opaque") == nil)
  }

  @Test("the user information of a URL is not shown")
  func userInformation() {
    #expect(Redaction().text("https://u:topsecret@h/x") == "https://‹redacted›@h/x")
  }

  @Test("a control character can't reach the terminal")
  func control() {
    let shown = Redaction().headerLine("X: a\u{1B}[31mb")
    #expect(shown == "X: a\\u{1b}[31mb")
  }

  @Test(
    "a value that was sent as a secret is replaced wherever it is shown",
    arguments: [
      ("Authorization: Bearer topsecret1", "topsecret1"),
      ("Authorization: Basic YWxpY2U6dG9wL3NlY3JldA==", "top/secret"),
      ("Authorization: Basic YWxpY2U6dG9wL3NlY3JldA==", "YWxpY2U6dG9wL3NlY3JldA=="),
      ("Authorization: Basic YWxpY2U6dG9wL3NlY3JldA==", "top%2Fsecret"),
      ("Authorization: Basic b2RkOnRvcCUyRnNlY3JldA==", "top/secret"), ("Cookie: a=topsecret1; b=x", "topsecret1"),
      ("GET /x?access_token=top%2Fsecret HTTP/1.1", "top/secret"),
    ])
  func byValue(sent: String, secret: String) {
    let redaction = Redaction()
    redaction.learn(headerLine: sent)
    #expect(redaction.headerLine("X-Echo: a \(secret) b") == "X-Echo: a ‹redacted› b")
    #expect(redaction.knownValues("a \(secret) b") == "a ‹redacted› b")
  }

  @Test("names that the program states are names of secrets, too, in any spelling")
  func names() {
    let redaction = Redaction(secretNames: ["guestKey"])
    #expect(redaction.headerLine("Guest-Key: topsecret").hasPrefix("Guest-Key: ‹redacted "))
    #expect(
      redaction.text(#"guest_key=topsecret {"guestKey":"topsecret"}"#)
        == #"guest_key=‹redacted› {"guestKey":"‹redacted›"}"#)
  }

  @Test("a password has no fingerprint, nor has a value that is already redacted")
  func fingerprints() {
    let redaction = Redaction()
    #expect(redaction.headerLine("Authorization: Basic YWxpY2U6eA==") == "Authorization: Basic ‹redacted›")
    #expect(redaction.headerLine("Authorization: Bearer ‹redacted›") == "Authorization: Bearer ‹redacted›")
    let fingerprint = Secret("topsecret").fingerprint
    #expect(redaction.headerLine("X-Any: topsecret", isSecret: true) == "X-Any: ‹redacted \(fingerprint)›")
  }
}
