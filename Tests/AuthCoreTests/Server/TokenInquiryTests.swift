import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import AuthCore

@Suite("TokenInquiry")
struct TokenInquiryTests {
  private static let metadata = #"""
    {"issuer":"https://id.example","token_endpoint":"https://id.example/token","jwks_uri":"https://id.example/keys",
    "introspection_endpoint":"https://id.example/introspect","userinfo_endpoint":"https://users.example/me"}
    """#

  private func inquiry(
    _ steps: [ScriptedTransport.Step], of pair: TokenPair? = samplePair(), metadata: String = metadata,
    _ change: (inout Profile) throws -> Void = { _ in }
  ) async throws -> (inquiry: TokenInquiry, transport: ScriptedTransport) {
    let discovery = [
      ScriptedTransport.Step.response(200, metadata, at: "https://id.example/.well-known/oauth-authorization-server"),
      .response(404, at: "https://id.example/.well-known/openid-configuration"),
    ]
    let transport = ScriptedTransport(discovery + steps)
    let bound = TokenPair.Server(
      issuer: "https://id.example", clientID: "cli", tokenEndpoint: "https://id.example/token",
      revocationEndpoint: nil)
    let secrets = MemorySecrets([.workClientSecret: try BoundSecret(Secret("hush"), to: bound).stored()])
    let server = AuthorizationServer(
      profile: try sampleProfile(change), connection: connection(transport), secrets: secrets)
    return (await TokenInquiry(server, of: pair), transport)
  }

  @Test("the signature is checked with the key set of the metadata")
  func valid() async throws {
    let signer = TestSigner()
    let token = try signer.token("{}")
    let (inquiry, _) = try await inquiry([.response(200, try signer.keySet(), at: "https://id.example/keys")])
    #expect(await inquiry.signature(of: token) == .valid)
  }

  @Test("a wrong signature, a foreign key and keys that can't be fetched have their reasons")
  func faults() async throws {
    let (signer, other) = (TestSigner(), TestSigner())
    let token = try signer.token("{}")
    var (inquiry, _) = try await inquiry([.response(200, try other.keySet(), at: "https://id.example/keys")])
    #expect(await inquiry.signature(of: token) == .invalid("it has a wrong signature"))
    let foreign = ScriptedTransport.Step.response(200, #"{"keys":[]}"#, at: "https://id.example/keys")
    (inquiry, _) = try await self.inquiry([foreign, foreign])
    let reason = "it is signed (ES256) with a key that is not among the server's (https://id.example/keys)"
    #expect(await inquiry.signature(of: token) == .invalid(reason))
    (inquiry, _) = try await self.inquiry([.response(503, at: "https://id.example/keys")])
    #expect(
      await inquiry.signature(of: token)
        == .notChecked("fetching the server's keys from https://id.example/keys: it returned 503"))
    (inquiry, _) = try await self.inquiry([], metadata: #"{"issuer":"https://id.example"}"#)
    #expect(await inquiry.signature(of: token) == .notChecked("the server names no key set (jwks_uri)"))
  }

  @Test("a stated endpoint that is not at the server of the token gets neither token nor secret")
  func foreignEndpoint() async throws {
    let (inquiry, transport) = try await inquiry([.response(200, "{}"), .response(200, "{}")]) {
      $0.endpoints.introspection = try WebURL("https://evil.example/introspect")
      $0.endpoints.userinfo = try WebURL("https://evil.example/me")
    }
    let token = Secret("A1")
    let first = await #expect(throws: AuthError.self) { try await inquiry.introspection(of: token, .access) }
    let second = await #expect(throws: AuthError.self) { try await inquiry.userInfo(for: token) }
    for error in [first, second] {
      #expect(error?.explanation.why.hasSuffix("is not at the server that issued the token; nothing was sent") == true)
    }
    #expect(!transport.requests.contains { $0.url.contains("evil") })
    let (own, _) = try await self.inquiry([.response(200, #"{"sub":"a"}"#, at: "https://users.example/you")]) {
      $0.endpoints.userinfo = try WebURL("https://users.example/you")
    }
    #expect(try await own.userInfo(for: token)["sub"]?.string == "a")
  }

  @Test("a key set in the profile needs no metadata")
  func stated() async throws {
    let signer = TestSigner()
    let (inquiry, _) = try await inquiry(
      [.response(200, try signer.keySet(), at: "https://keys.example/")], metadata: "{}"
    ) { $0.endpoints.jwks = try WebURL("https://keys.example/") }
    #expect(await inquiry.signature(of: try signer.token("{}")) == .valid)
  }

  @Test(
    "tokens that no public key verifies need no request",
    arguments: [
      (#"{"alg":"none"}"#, SignatureCheck.invalid("it is not signed (alg is none)")),
      (#"{"alg":"ES256K"}"#, .notChecked("ES256K is not a supported algorithm")),
      (#"{"alg":"HS256"}"#, .notChecked("HS256 is verified with a secret that only the server has")),
      (#"{"kid":"k"}"#, .notChecked("its header names no algorithm (alg)")), (#"{"alg":"ES256"}"#, nil),
    ])
  func withoutKeys(header: String, result: SignatureCheck?) {
    let token = Secret(Base64URL.encode(header.utf8) + ".e30.c2ln")
    #expect(SignatureCheck.withoutKeys(DecodedToken(token)) == result)
  }

  @Test("introspection sends the token with the client's authentication (RFC 7662, section 2.1)")
  func introspection() async throws {
    let (inquiry, transport) = try await inquiry([
      .response(200, #"{"active":true,"scope":"api"}"#, at: "https://id.example/introspect")
    ]) { $0.clientAuthentication = .post }
    let response = try await inquiry.introspection(of: Secret("A1"), .access)
    #expect(response == .object(["active": .bool(true), "scope": .string("api")]))
    let request = try #require(transport.requests.last)
    #expect(request.method == .post)
    #expect(request.form == ["token=A1", "token_type_hint=access_token", "client_id=cli", "client_secret=hush"])
  }

  @Test("userinfo sends the token to the endpoint of the metadata, or to one of the profile at the server or an API")
  func userInfo() async throws {
    let (inquiry, transport) = try await inquiry([
      .response(200, #"{"sub":"alice"}"#, at: "https://users.example/me")
    ])
    #expect(try await inquiry.userInfo(for: Secret("A1")) == .object(["sub": .string("alice")]))
    #expect(transport.requests.last?.fields[.authorization] == "Bearer A1")
    let signed = try TestSigner().token(#"{"sub":"bob"}"#)
    let (other, _) = try await self.inquiry(
      [.response(200, signed.exposed, at: "https://api.example/me")]
    ) { $0.endpoints.userinfo = try WebURL("https://api.example/me") }
    #expect(try await other.userInfo(for: Secret("A1")) == .object(["sub": .string("bob")]))
  }

  @Test("a token of another server is not sent")
  func foreign() async throws {
    var pair = samplePair()
    pair.server?.clientID = "former"
    let (inquiry, transport) = try await inquiry([], of: pair)
    let why = "client_id in the profile has changed since the login; the token was not sent"
    await #expect(throws: AuthError.loginRequired(.init("introspection", why: why))) {
      try await inquiry.introspection(of: Secret("A1"), .access)
    }
    await #expect(throws: AuthError.loginRequired(.init("user info", why: why))) {
      try await inquiry.userInfo(for: Secret("A1"))
    }
    let (loose, _) = try await self.inquiry([], of: nil)
    await #expect(
      throws: AuthError.refused(
        .init("introspection", why: "the token was not sent, because it is from https://else.example"))
    ) {
      try await loose.introspection(of: jwt(#"{"iss":"https://else.example"}"#), .access)
    }
    #expect(transport.requests.count == 2, "only the metadata was requested")
  }

  @Test("an endpoint that does not exist, fails or responds with something else has its reason")
  func failures() async throws {
    let (none, _) = try await inquiry([], metadata: #"{"issuer":"https://id.example"}"#)
    await #expect(
      throws: AuthError.refused(
        .init(
          "introspection", why: "the server names no introspection endpoint",
          remedy: .stateEndpoint(session: "work", key: "introspection")))
    ) { try await none.introspection(of: Secret("A1"), .access) }
    let place = "https://users.example/me"
    for (step, error) in [
      (
        ScriptedTransport.Step.response(403, #"{"error":"insufficient_scope"}"#, at: place),
        AuthError.refused(.init("user info", why: "\(place) returned 403, insufficient_scope"))
      ),
      (
        .response(503, at: place), .tryLater(.init("user info", why: "\(place) returned 503, no error code"))
      ),
      (
        .response(200, "[]", at: place),
        .refused(.init("user info", why: "\(place): the response is not a JSON object"))
      ),
    ] {
      let (inquiry, _) = try await inquiry([step])
      await #expect(throws: error) { try await inquiry.userInfo(for: Secret("A1")) }
    }
  }
}
