import Foundation
import TestSupport
import Testing

@Suite struct AuthorizationTests {
  /// The example of RFC 7636, appendix B.
  private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

  private static func request(_ changes: [String: String?] = [:]) -> String {
    let defaults: [String: String?] = [
      "client_id": "cli", "response_type": "code", "redirect_uri": "http://127.0.0.1:9/cb", "state": "s1",
      "code_challenge": challenge, "code_challenge_method": "S256",
    ]
    let fields = defaults.merging(changes) { $1 }.compactMapValues { $0 }
    return "/authorize?" + fields.map { "\($0)=\($1)" }.joined(separator: "&")
  }

  private static func parameters(_ answer: LoopbackResponse) -> [String: String] {
    let items = URLComponents(string: answer.header("location") ?? "")?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
  }

  private static func exchange(_ code: String, at lab: Authlab, verifier: String = verifier) throws -> LoopbackResponse
  {
    let form = [
      (name: "grant_type", value: "authorization_code"), (name: "code", value: code),
      (name: "redirect_uri", value: "http://127.0.0.1:9/cb"), (name: "client_id", value: "cli"),
      (name: "code_verifier", value: verifier),
    ]
    return try lab.post("/token", form: form)
  }

  private static func decide(
    _ decision: String, password: String = "alice-pass", at lab: Authlab, changes: [String: String?] = [:]
  ) throws -> LoopbackResponse {
    let page = try lab.send("GET", request(changes)).text
    let handle = try #require(page.firstMatch(of: /name="request" value="([^"]+)"/)).1
    let form = [
      (name: "request", value: String(handle)), (name: "username", value: "alice"),
      (name: "password", value: password), (name: "decision", value: decision),
    ]
    return try lab.post("/authorize/decide", form: form)
  }

  @Test("logs in through the page and grants a code for tokens")
  func codeGrant() throws {
    let lab = try Authlab()
    let answer = try Self.decide("allow", at: lab)
    let parameters = Self.parameters(answer)
    #expect(answer.status == 303)
    #expect(answer.header("location")?.hasPrefix("http://127.0.0.1:9/cb?") == true)
    #expect(parameters["state"] == "s1")
    #expect(parameters["iss"] == lab.origin)
    let tokens = try TokenPair(Self.exchange(parameters["code"] ?? "", at: lab))
    #expect(try lab.get("/api/me", token: tokens.access).string("sub") == "alice")
  }

  @Test("revokes the tokens of a code that is replayed (RFC 6749, section 4.1.2)")
  func replayedCode() throws {
    let lab = try Authlab(["--grant-without-page"])
    let code = Self.parameters(try lab.send("GET", Self.request()))["code"] ?? ""
    let tokens = try TokenPair(Self.exchange(code, at: lab))
    #expect(try Self.exchange(code, at: lab).string("error") == "invalid_grant")
    #expect(try lab.get("/api/me", token: tokens.access).status == 401)
  }

  @Test("refuses a code with the wrong verifier (RFC 7636, section 4.6)")
  func wrongVerifier() throws {
    let lab = try Authlab(["--grant-without-page"])
    let code = Self.parameters(try lab.send("GET", Self.request()))["code"] ?? ""
    #expect(try Self.exchange(code, at: lab, verifier: "wrong").string("error") == "invalid_grant")
  }

  @Test("hands a denial back")
  func denial() throws {
    let lab = try Authlab()
    let parameters = Self.parameters(try Self.decide("deny", at: lab))
    #expect(parameters["error"] == "access_denied")
    #expect(parameters["state"] == "s1")
    #expect(parameters["code"] == nil)
    #expect(try lab.count("authorize.denied") == 1)
  }

  @Test("shows the page again after a wrong password")
  func wrongPassword() throws {
    let lab = try Authlab()
    let answer = try Self.decide("allow", password: "wrong", at: lab)
    #expect(answer.status == 200)
    #expect(answer.text.contains("The name or the password is wrong."))
  }

  @Test("posts the response as a form on demand")
  func formPost() throws {
    let lab = try Authlab()
    let answer = try Self.decide("allow", at: lab, changes: ["response_mode": "form_post"])
    #expect(answer.status == 200)
    #expect(answer.text.contains(#"<form method="post" action="http://127.0.0.1:9/cb">"#))
    #expect(answer.text.contains(#"name="state" value="s1""#))
    #expect(answer.text.contains(#"name="code" value=""#))
  }

  @Test(
    "redirects with an error (RFC 6749, section 4.1.2.1)",
    arguments: [
      (["code_challenge": nil], "invalid_request"), (["code_challenge_method": "plain"], "invalid_request"),
      (["response_type": "token"], "unsupported_response_type"), (["scope": "bogus"], "invalid_scope"),
    ])
  func errorRedirect(changes: [String: String?], error: String) throws {
    let lab = try Authlab(["--grant-without-page"])
    let parameters = Self.parameters(try lab.send("GET", Self.request(changes)))
    #expect(parameters["error"] == error)
    #expect(parameters["state"] == "s1")
  }

  @Test(
    "never redirects to where it may not",
    arguments: [
      ["client_id": "nobody"], ["redirect_uri": "https://example.com/cb"], ["redirect_uri": "http://127.0.0.1:9/other"],
      ["redirect_uri": nil],
    ])
  func forbiddenRedirect(changes: [String: String?]) throws {
    let lab = try Authlab(["--grant-without-page", "--redirect-uri", "http://127.0.0.1/cb"])
    let answer = try lab.send("GET", Self.request(changes))
    #expect(answer.status == 400)
    #expect(answer.header("location") == nil)
  }

  @Test(
    "ignores the port of loopback redirect URIs unless set otherwise (RFC 8252, section 7.3)",
    arguments: [([], 303), (["--exact-redirect-uri"], 400)])
  func loopbackPort(
    arguments: [String], status: Int
  ) throws {
    let lab = try Authlab(["--grant-without-page", "--redirect-uri", "http://127.0.0.1/cb"] + arguments)
    #expect(try lab.send("GET", Self.request()).status == status)
  }

  @Test(
    "deviates on demand",
    arguments: [
      ("none", ["code", "iss", "state"], "s1"), ("wrong-state", ["code", "iss", "state"], "not-s1"),
      ("missing-state", ["code", "iss"], nil), ("missing-iss", ["code", "state"], "s1"),
      ("no-code", ["iss", "state"], "s1"), ("error-in-fragment", [], nil), ("no-redirect", [], nil),
    ])
  func deviations(oddity: String, names: [String], state: String?) throws {
    let lab = try Authlab(["--grant-without-page"])
    try lab.change(#"{"authorization_oddity":"\#(oddity)"}"#)
    let answer = try lab.send("GET", Self.request())
    #expect(Self.parameters(answer).keys.sorted() == names)
    #expect(Self.parameters(answer)["state"] == state)
    #expect((answer.header("location") ?? "").contains("#error=") == (oddity == "error-in-fragment"))
  }

  @Test("moves both documents with a path in the issuer (RFC 8414, section 3.1)")
  func issuerPath() throws {
    let lab = try Authlab()
    try lab.change(#"{"issuer_path":"/tenant"}"#)
    for path in ["/.well-known/oauth-authorization-server/tenant", "/tenant/.well-known/openid-configuration"] {
      let answer = try lab.send("GET", path)
      #expect(try answer.string("issuer") == lab.origin + "/tenant")
      #expect(try answer.json()["authorization_response_iss_parameter_supported"] as? Bool == true)
    }
    for path in ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"] {
      #expect(try lab.send("GET", path).status == 404)
    }
  }

  @Test("hides and falsifies the documents one by one")
  func hiddenDocuments() throws {
    let lab = try Authlab()
    try lab.change(
      #"{"oauth_discovery":false,"openid_discovery_omits":["revocation_endpoint"],"announced_issuer":"https://x.invalid"}"#
    )
    #expect(try lab.send("GET", "/.well-known/oauth-authorization-server").status == 404)
    let document = try lab.send("GET", "/.well-known/openid-configuration")
    #expect(try document.string("issuer") == "https://x.invalid")
    #expect(try document.string("revocation_endpoint") == nil)
    #expect(try document.string("token_endpoint") == lab.origin + "/token")
  }
}
