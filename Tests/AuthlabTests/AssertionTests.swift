import Crypto
import Foundation
import TestSupport
import Testing

@Suite struct AssertionTests {
  /// A server that knows the public half of a key, and the key.
  private func lab() throws -> (Authlab, P256.Signing.PrivateKey) {
    let key = P256.Signing.PrivateKey()
    let file = FileManager.default.temporaryDirectory.appending(path: "public-\(UUID().uuidString).pem")
    try Data(key.publicKey.pemRepresentation.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return (try Authlab(["--key-client", "key:\(file.path)"]), key)
  }

  private func assertion(
    _ lab: Authlab, _ key: P256.Signing.PrivateKey?, algorithm: String = "ES256", changes: [String: Any] = [:]
  ) throws -> String {
    let now = Int(Date().timeIntervalSince1970)
    var claims: [String: Any] = [
      "iss": "key", "sub": "key", "aud": lab.origin, "exp": now + 60, "iat": now, "jti": UUID().uuidString,
    ]
    for (name, value) in changes { claims[name] = value is NSNull ? nil : value }
    let parts = try [["alg": algorithm], claims].map { encode(try JSONSerialization.data(withJSONObject: $0)) }
    let signed = parts.joined(separator: ".")
    return try signed + "." + encode(key?.signature(for: Data(signed.utf8)).rawRepresentation ?? Data())
  }

  private func encode(_ data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  private func ask(_ lab: Authlab, _ assertion: String, _ more: [(name: String, value: String)] = []) throws
    -> LoopbackResponse
  {
    let form = [
      (name: "grant_type", value: "client_credentials"),
      ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
      ("client_assertion", assertion),
    ]
    return try lab.post("/token", form: form + more)
  }

  @Test("takes an assertion once (RFC 7523, section 3)")
  func singleUse() throws {
    let (lab, key) = try lab()
    let assertion = try assertion(lab, key)
    #expect(try ask(lab, assertion).status == 200)
    let again = try ask(lab, assertion)
    #expect(again.status == 401)
    #expect(try again.string("error") == "invalid_client")
    #expect(try lab.count("assertion.replayed") == 1)
    #expect(try lab.count("assertion.ES256") == 1)
  }

  @Test("refuses assertions that are not signed by the client, for it, in time")
  func invalidAssertions() throws {
    let (lab, key) = try lab()
    let now = Int(Date().timeIntervalSince1970)
    let changes: [[String: Any]] = [
      ["aud": lab.origin + "/token"], ["aud": [lab.origin, "https://other.example"]], ["iss": "cli"],
      ["sub": "svc"], ["exp": now - 1], ["exp": now + 7200], ["exp": NSNull()], ["jti": NSNull()],
    ]
    for change in changes {
      #expect(try ask(lab, assertion(lab, key, changes: change)).status == 401, "\(change)")
    }
    #expect(try ask(lab, assertion(lab, P256.Signing.PrivateKey())).status == 401)
    #expect(try ask(lab, assertion(lab, nil, algorithm: "none")).status == 401)
    #expect(try ask(lab, assertion(lab, key, algorithm: "HS256")).status == 401)
    #expect(try ask(lab, "x.y.z").status == 401)
    let twice = try ask(lab, assertion(lab, key), [(name: "client_secret", value: "x")])
    #expect(try twice.string("error") == "invalid_request")
    let other = try ask(lab, assertion(lab, key), [(name: "client_id", value: "cli")])
    #expect(other.status == 401)
    #expect(try ask(lab, assertion(lab, key)).status == 200)
  }

  @Test(
    "takes no other method from a client that signs",
    arguments: [("key", ""), ("hmac", "hmac-secret-of-more-than-32-bytes")])
  func onlyAssertions(client: String, secret: String) throws {
    let (lab, _) = try lab()
    let grant = (name: "grant_type", value: "client_credentials")
    let form = [grant, (name: "client_id", value: client), (name: "client_secret", value: secret)]
    #expect(try lab.post("/token", form: form).status == 401)
    let basic = "Basic " + Data("\(client):\(secret)".utf8).base64EncodedString()
    #expect(
      try lab.post("/token", form: [grant], headers: [(name: "Authorization", value: basic)]).status == 401)
  }

  @Test("requires the token endpoint as the audience on demand")
  func audience() throws {
    let (lab, key) = try lab()
    try lab.change(#"{"assertion_audience":"token_endpoint"}"#)
    #expect(try ask(lab, assertion(lab, key)).status == 401)
    #expect(try ask(lab, assertion(lab, key, changes: ["aud": lab.origin + "/token"])).status == 200)
  }

  @Test(
    "takes pushed requests, each for one client and one use (RFC 9126)",
    arguments: [("offered", 201), ("required", 201), ("off", 404), ("missing", 404)])
  func pushedRequests(par: String, status: Int) throws {
    let lab = try Authlab()
    try lab.change(#"{"par":"\#(par)","grant_without_page":true}"#)
    let form = [
      (name: "client_id", value: "cli"), ("response_type", "code"), ("redirect_uri", "http://127.0.0.1:1/cb"),
      ("code_challenge", "x"), ("code_challenge_method", "S256"),
    ]
    let answer = try lab.post("/par", form: form)
    #expect(answer.status == status)
    guard status == 201, let uri = try answer.string("request_uri") else { return }
    let target = { (client: String) in "/authorize?client_id=\(client)&request_uri=\(uri)" }
    #expect(try lab.send("GET", target("svc")).status >= 400)
    #expect(try lab.send("GET", target("cli")).header("location")?.contains("code=") == true)
    #expect(try lab.send("GET", target("cli")).status >= 400)
    let plain = "/authorize?client_id=cli&response_type=code&redirect_uri=http://127.0.0.1:1/cb&code_challenge=x"
    let usual = try lab.send("GET", plain + "&code_challenge_method=S256")
    #expect((usual.status >= 400) == (par == "required"))
  }

  @Test("exchanges tokens that are good (RFC 8693)")
  func tokenExchange() throws {
    let lab = try Authlab()
    let token = try lab.logIn().access
    let form = { (token: String, type: String) in
      [
        (name: "grant_type", value: "urn:ietf:params:oauth:grant-type:token-exchange"), ("client_id", "cli"),
        ("subject_token", token), ("subject_token_type", "urn:ietf:params:oauth:token-type:\(type)"),
      ]
    }
    let answer = try lab.post("/token", form: form(token, "access_token"))
    #expect(try answer.string("issued_token_type") == "urn:ietf:params:oauth:token-type:access_token")
    #expect(try lab.get("/api/me", token: TokenPair(answer).access).string("sub") == "alice")
    #expect(try lab.post("/token", form: form("nonsense", "access_token")).string("error") == "invalid_grant")
    #expect(try lab.post("/token", form: form(token, "saml2")).string("error") == "invalid_request")
  }
}
