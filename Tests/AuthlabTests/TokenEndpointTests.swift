import Crypto
import Foundation
import TestSupport
import Testing

@Suite struct TokenEndpointTests {
  @Test("rotates refresh tokens and keeps responses out of caches")
  func rotation() throws {
    let lab = try Authlab()
    let first = try lab.logIn()
    let answer = try lab.refresh(first.refresh)
    let second = try TokenPair(answer)
    #expect(answer.status == 200)
    #expect(answer.header("cache-control") == "no-store")
    #expect(answer.header("content-type") == "application/json")
    #expect(second.refresh.count == 43 && second.refresh != first.refresh)
    #expect(try answer.json()["expires_in"] as? Int == 10)
    #expect(try answer.string("token_type") == "Bearer")
    #expect(try lab.get("/api/me", token: second.access).string("sub") == "alice")
    #expect(try lab.count("token.refresh_token.ok") == 1)
  }

  @Test(
    "treats a spent refresh token by the policy (RFC 9700, section 4.14.2)",
    arguments: [("strict", 400, 401), ("one-use", 200, 200)])
  func spentToken(
    policy: String, newest: Int, access: Int
  ) throws {
    let lab = try Authlab(["--reuse", policy])
    let first = try lab.logIn()
    let second = try TokenPair(lab.refresh(first.refresh))
    let reuse = try lab.refresh(first.refresh)
    #expect(reuse.status == 400)
    #expect(try reuse.string("error") == "invalid_grant")
    #expect(try lab.count("reuse_detected") == 1)
    #expect(try lab.get("/api/me", token: second.access).status == access)
    #expect(try lab.refresh(second.refresh).status == newest)
  }

  @Test("accepts a spent refresh token again without reuse detection")
  func noReuseDetection() throws {
    let lab = try Authlab(["--reuse", "none"])
    let first = try lab.logIn()
    #expect(try lab.refresh(first.refresh).status == 200)
    #expect(try lab.refresh(first.refresh).status == 200)
    #expect(try lab.count("reuse_detected") == 0)
  }

  @Test("narrows the scope but never widens it (RFC 6749, section 6)")
  func narrowedScope() throws {
    let lab = try Authlab()
    let narrowed = try lab.refresh(lab.logIn(scope: "read write").refresh, scope: "read")
    #expect(try narrowed.string("scope") == "read")
    let widened = try lab.refresh(lab.logIn(scope: "read").refresh, scope: "read write")
    #expect(widened.status == 400)
    #expect(try widened.string("error") == "invalid_scope")
  }

  @Test(
    "responds to a refresh with the requested members",
    arguments: [
      ([], ["access_token", "expires_in", "refresh_token", "scope", "token_type"]),
      (["--no-expires-in"], ["access_token", "refresh_token", "scope", "token_type"]),
      (["--omit-token-type"], ["access_token", "expires_in", "refresh_token", "scope"]),
      (["--no-refresh-token-in-refresh"], ["access_token", "expires_in", "scope", "token_type"]),
    ])
  func requestedMembers(arguments: [String], members: [String]) throws {
    let lab = try Authlab(arguments)
    #expect(try lab.refresh(lab.logIn().refresh).json().keys.sorted() == members)
  }

  @Test("gives expires_in as a string on demand")
  func lifetimeAsString() throws {
    let lab = try Authlab(["--expires-in-string", "--access-lifetime", "7.5"])
    #expect(try lab.refresh(lab.logIn().refresh).string("expires_in") == "7")
  }

  @Test(
    "authenticates clients by HTTP Basic (RFC 6749, section 2.3.1)",
    arguments: [
      ("svc:svc-secret", 200), ("svc:wrong", 401), ("nobody:svc-secret", 401), ("odd:conf secret/+%&=é", 200),
      ("odd:conf%20secret%2F%2B%25%26%3D%C3%A9", 200), ("odd:conf+secret%2F%2B%25%26%3D%C3%A9", 200),
    ])
  func basicAuthentication(credentials: String, status: Int) throws {
    let lab = try Authlab()
    let header = (name: "Authorization", value: "Basic " + Data(credentials.utf8).base64EncodedString())
    let answer = try lab.post("/token", form: [(name: "grant_type", value: "client_credentials")], headers: [header])
    #expect(answer.status == status)
    #expect(try answer.string("error") == (status == 200 ? nil : "invalid_client"))
    #expect(answer.header("www-authenticate") == (status == 200 ? nil : "Basic realm=\"authlab\""))
    #expect(try answer.string("refresh_token") == nil)
  }

  @Test("decodes HTTP Basic in one way only on demand")
  func basicDecoding() throws {
    let lab = try Authlab()
    try lab.change(#"{"basic_encoding":"form"}"#)
    for (credentials, status) in [("odd:conf+secret%2F%2B%25%26%3D%C3%A9", 200), ("odd:conf secret/+%&=é", 401)] {
      let header = (name: "Authorization", value: "Basic " + Data(credentials.utf8).base64EncodedString())
      let answer = try lab.post("/token", form: [(name: "grant_type", value: "client_credentials")], headers: [header])
      #expect(answer.status == status)
    }
  }

  @Test(
    "names errors as RFC 6749, section 5.2 does",
    arguments: [
      ([("grant_type", "client_credentials"), ("client_id", "svc"), ("client_secret", "svc-secret")], nil),
      ([("grant_type", "client_credentials"), ("client_id", "svc")], "invalid_client"),
      ([("grant_type", "client_credentials"), ("client_id", "cli")], "unauthorized_client"),
      ([("grant_type", "password"), ("client_id", "cli"), ("username", "alice")], "invalid_request"),
      (
        [("grant_type", "password"), ("client_id", "cli"), ("username", "alice"), ("password", "no")], "invalid_grant"
      ),
      ([("grant_type", "magic"), ("client_id", "cli")], "unsupported_grant_type"),
      ([("client_id", "cli")], "invalid_request"),
      ([("grant_type", "refresh_token"), ("client_id", "cli"), ("refresh_token", "x")], "invalid_grant"),
      ([("grant_type", "password"), ("grant_type", "password"), ("client_id", "cli")], "invalid_request"),
    ] as [([(String, String)], String?)])
  func errorNames(form: [(String, String)], error: String?) throws {
    let lab = try Authlab()
    let answer = try lab.post("/token", form: form.map { (name: $0.0, value: $0.1) })
    #expect(try answer.string("error") == error)
  }

  @Test("signs an ID token that its key set verifies (OpenID Connect Core, section 2)")
  func idToken() throws {
    let lab = try Authlab()
    let form = ["grant_type": "password", "username": "alice", "password": "alice-pass", "client_id": "cli"]
    let answer = try lab.post(
      "/token", form: form.map { (name: $0.key, value: $0.value) } + [(name: "scope", value: "openid")])
    let parts = try #require(try answer.string("id_token")).split(separator: ".").map(String.init)
    let keys = try lab.send("GET", "/jwks").json()["keys"] as? [[String: String]]
    let (x, y) = (Self.decode(keys?.first?["x"] ?? ""), Self.decode(keys?.first?["y"] ?? ""))
    let key = try P256.Signing.PublicKey(rawRepresentation: x + y)
    let signature = try P256.Signing.ECDSASignature(rawRepresentation: Self.decode(parts[2]))
    #expect(key.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
    let claims = try JSONSerialization.jsonObject(with: Self.decode(parts[1])) as? [String: Any]
    #expect(claims?["iss"] as? String == lab.origin)
    #expect(claims?["sub"] as? String == "alice")
    #expect(claims?["aud"] as? String == "cli")
  }

  @Test("revokes a family by its refresh token (RFC 7009)")
  func revocation() throws {
    let lab = try Authlab()
    let tokens = try lab.logIn()
    let form = { (token: String) in [(name: "token", value: token), (name: "client_id", value: "cli")] }
    #expect(try lab.post("/revoke", form: form("unknown")).status == 200)
    #expect(try lab.post("/revoke", form: form(tokens.refresh)).status == 200)
    #expect(try lab.get("/api/me", token: tokens.access).status == 401)
    #expect(try lab.refresh(tokens.refresh).status == 400)
    try lab.change(#"{"public_revocation":false}"#)
    #expect(try lab.post("/revoke", form: form("unknown")).status == 401)
    #expect(try lab.count("revoke.ok") == 2)
  }

  @Test("introspects for confidential clients only (RFC 7662)")
  func introspection() throws {
    let lab = try Authlab()
    let token = (name: "token", value: try lab.logIn().access)
    let form = [(name: "client_id", value: "svc"), (name: "client_secret", value: "svc-secret"), token]
    #expect(try lab.post("/introspect", form: form).json()["active"] as? Bool == true)
    try lab.expireAccessTokens()
    #expect(try lab.post("/introspect", form: form).text == #"{"active":false}"#)
    #expect(try lab.post("/introspect", form: [(name: "client_id", value: "cli"), token]).status == 401)
  }

  private static func decode(_ text: String) -> Data {
    let standard = text.replacing("-", with: "+").replacing("_", with: "/")
    return Data(base64Encoded: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4)) ?? Data()
  }
}
