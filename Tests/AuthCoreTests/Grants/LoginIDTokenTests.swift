import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import AuthCore

@Suite("Login: ID tokens")
struct LoginIDTokenTests {
  private let events = EventLog()
  private let signer = TestSigner()
  private static let keys = "https://id.example/jwks"

  private static let claims: String = {
    let now = Int(Date.sample.timeIntervalSince1970)
    return
      #"{"iss":"https://id.example","sub":"alice","aud":"cli","exp":\#(now + 60),"iat":\#(now),"nonce":"r"}"#
  }()

  /// Exchanges a code that brings an ID token.
  private func exchange(
    _ idToken: Secret?, _ steps: [ScriptedTransport.Step], secret: Secret? = nil, metadata: String = "",
    scope: [String] = ["openid"], parameters: [String: String] = [:]
  ) async throws -> (pair: TokenPair, requests: [ScriptedTransport.Request]) {
    let member = idToken.map { #","id_token":"\#($0.exposed)""# } ?? ""
    let transport = ScriptedTransport(
      [.response(200, #"{"access_token":"a"\#(member)}"#, at: "https://id.example/token")] + steps)
    let document =
      #"{"issuer":"https://id.example","authorization_endpoint":"https://id.example/a"\#(metadata)}"#
    let server = AuthorizationServer(
      profile: try sampleProfile {
        $0.scope = scope
        $0.parameters.authorization = parameters
        $0.clientAuthentication = secret == nil ? .none : .post
      }, connection: connection(transport, events: events),
      secrets: MemorySecrets())
    let login = Login(
      server,
      metadata: try ServerMetadata(JSONValue(parsing: Array(document.utf8)), issuer: "https://id.example"),
      clientSecret: secret)
    let request = try login.authorizationRequest(redirectURI: "http://127.0.0.1:1/cb", random: { "r" })
    return (try await login.exchange(Secret("c"), of: request), transport.requests)
  }

  private static let withKeys = #","jwks_uri":"https://id.example/jwks""#

  private func refusal(_ body: () async throws -> Void) async throws -> AuthError {
    do {
      try await body()
    } catch let error as AuthError {
      return error
    }
    throw Unexpected("nothing of the kind")
  }

  @Test("a signature is verified with the server's keys; the subject is the token's")
  func verified() async throws {
    let steps = [ScriptedTransport.Step.response(200, try signer.keySet(), at: Self.keys)]
    let result = try await exchange(try signer.token(Self.claims), steps, metadata: Self.withKeys)
    #expect(result.pair.subject == "alice")
    #expect(result.requests.map(\.url) == ["https://id.example/token", Self.keys])
    #expect(events.events.isEmpty)
  }

  @Test(
    "a login that was another one than was asked for is warned of, and taken (OpenID Connect Core, section 3.1.2.1)",
    arguments: [
      ("gold silver", #","acr":"silver""#, nil), ("gold", "", nil), (nil, #","acr":"bronze""#, nil),
      ("gold silver", #","acr":"bro\u001bnze""#, #"bro\u{1b}nze"#),
    ] as [(String?, String, String?)])
  func otherLogin(wanted: String?, claim: String, warnedOf: String?) async throws {
    let token = try signer.token(String(Self.claims.dropLast()) + claim + "}")
    let result = try await exchange(
      token, [.response(200, try signer.keySet(), at: Self.keys)], metadata: Self.withKeys,
      parameters: wanted.map { ["acr_values": $0] } ?? [:])
    #expect(result.pair.subject == "alice")
    #expect(
      events.events
        == (warnedOf.map {
          [.warning("the login has the level '\($0)', not the requested: gold silver")]
        } ?? []))
  }

  @Test("recently changed keys are fetched again, bypassing all caches")
  func rotation() async throws {
    let steps = [
      ScriptedTransport.Step.response(200, #"{"keys":[]}"#, at: Self.keys),
      .response(200, try signer.keySet(), at: Self.keys),
    ]
    let result = try await exchange(try signer.token(Self.claims), steps, metadata: Self.withKeys)
    #expect(result.pair.subject == "alice")
    #expect(result.requests.map { $0.fields[.cacheControl] } == [nil, nil, "no-cache"])
  }

  @Test("a key that the server does not have refuses the token after the second look")
  func stranger() async throws {
    let steps = [ScriptedTransport.Step.response(200, try TestSigner(keyID: "other").keySet(), at: Self.keys)]
    let error = try await refusal {
      _ = try await exchange(try signer.token(Self.claims), steps + steps, metadata: Self.withKeys)
    }
    #expect(
      error
        == .refused(
          .init(
            "logging in to work",
            why: "the ID token is signed (ES256) with a key that is not among the server's (https://id.example/jwks)",
            hint: "nothing was stored; ask the server's operator")))
  }

  @Test(
    "tokens that are thrown away are revoked: a refused ID token, and keys that can't be had (section 3.1.3.7)",
    arguments: [200, 503])
  func discarded(status: Int) async throws {
    let document = """
      {"issuer":"https://id.example","jwks_uri":"\(Self.keys)","revocation_endpoint":"https://id.example/revoke"}
      """
    let transport = ScriptedTransport([
      .response(
        200,
        "{\"access_token\":\"A\",\"refresh_token\":\"R\",\"id_token\":\"\(try signer.token(Self.claims).exposed)\"}"),
      .response(status, #"{"keys":[]}"#, at: Self.keys), .response(200, #"{"keys":[]}"#, at: Self.keys),
      .response(200, at: "https://id.example/revoke"), .response(200, at: "https://id.example/revoke"),
    ])
    let profile = try sampleProfile { $0.scope = ["openid"] }
    let metadata = try ServerMetadata(JSONValue(parsing: Array(document.utf8)), issuer: "https://id.example")
    let login = Login(
      AuthorizationServer(
        profile: profile, connection: connection(transport, events: events), secrets: MemorySecrets()),
      metadata: metadata, clientSecret: nil)
    await #expect(throws: AuthError.self) { try await login.password(username: "alice", password: Secret("pw")) }
    let revoked = transport.requests.filter { $0.url == "https://id.example/revoke" }
    #expect(revoked.map { $0.form[0] } == ["token=R", "token=A"])
    #expect(events.events.contains(.revoked))
  }

  @Test("a wrong signature is refused, and no error quotes the token")
  func wrong() async throws {
    let token = try signer.token(Self.claims)
    let forged = Secret(String(token.exposed.dropLast(4)) + "AAAA")
    let error = try await refusal {
      _ = try await exchange(
        forged, [.response(200, try signer.keySet(), at: Self.keys)], metadata: Self.withKeys)
    }
    guard case .refused(let explanation) = error else { throw Unexpected(error) }
    #expect(explanation.why == "the ID token has a wrong signature")
    #expect(!"\(error)".contains("eyJ"))
  }

  @Test(
    "keys that can't be had for now end the login as something to try later",
    arguments: [.response(503), .response(429), .failure(.unreachable(detail: "no route"))] as [ScriptedTransport.Step])
  func unavailable(step: ScriptedTransport.Step) async throws {
    var step = step
    step.url = Self.keys
    let token = try signer.token(Self.claims)
    let error = try await refusal { [step] in _ = try await exchange(token, [step], metadata: Self.withKeys) }
    guard case .tryLater(let explanation) = error else { throw Unexpected(error) }
    #expect(explanation.what.contains("https://id.example/jwks"))
    #expect(explanation.hint.contains("nothing was stored"))
  }

  @Test(
    "a key set that is none is refused",
    arguments: [
      .response(200, "<html>"), .response(200, "[]"), .response(404), .response(200, ""), .response(302),
      .failure(.responseTooLarge(limit: 1 << 20)),
    ] as [ScriptedTransport.Step])
  func hostile(step: ScriptedTransport.Step) async throws {
    var step = step
    step.url = Self.keys
    let token = try signer.token(Self.claims)
    let error = try await refusal { [step] in _ = try await exchange(token, [step], metadata: Self.withKeys) }
    guard case .refused = error else { throw Unexpected(error) }
  }

  @Test("without a source of keys the direct connection identifies the sender (section 3.1.3.7, item 6)")
  func noKeys() async throws {
    #expect(try await exchange(try signer.token(Self.claims), []).pair.subject == "alice")
    let error = try await refusal {
      _ = try await exchange(Secret("eyJhbGciOiJub25lIn0.e30."), [])
    }
    #expect(error.explanation.why == "the ID token is not signed (alg is none)")
  }

  @Test(
    "HMAC is verified with the client's secret if the server says that it signs so, and never with a key",
    arguments: ["HS256", "HS384", "HS512"])
  func secrets(algorithm: String) async throws {
    let token = hmac(Self.claims, key: "secret", by: algorithm)
    let says = #","id_token_signing_alg_values_supported":["\#(algorithm)"]"#
    #expect(try await exchange(token, [], secret: Secret("secret"), metadata: says).pair.subject == "alice")
    #expect(try await exchange(token, [], secret: Secret("secret")).pair.subject == "alice")
    let wrong = try await refusal {
      _ = try await exchange(token, [], secret: Secret("other"), metadata: says)
    }
    #expect(wrong.explanation.why == "the ID token has a wrong signature")
    let others = #","id_token_signing_alg_values_supported":["RS256","HS1"]"#
    for (secret, metadata) in [(Secret("secret"), Self.withKeys), (nil, says), (Secret("secret"), others)] {
      let error = try await refusal { _ = try await exchange(token, [], secret: secret, metadata: metadata) }
      #expect(error.explanation.why.contains("which neither the client nor the server has stated"))
    }
  }

  @Test("an ID token that was not requested is ignored if it does not verify, with a warning")
  func unasked() async throws {
    let result = try await exchange(Secret("no.jwt"), [], scope: ["api"])
    #expect(result.pair.subject == nil)
    #expect(
      events.events == [
        .warning("ignored an ID token that was not requested: the ID token is not a JWT")
      ])
  }
}
