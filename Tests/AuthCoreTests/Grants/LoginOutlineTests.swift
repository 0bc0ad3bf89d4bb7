import HTTPTypes
import TestSupport
import Testing

@testable import AuthCore

/// The requests of a login, described without sending one.
@Suite("LoginOutline") struct LoginOutlineTests {
  private let transport = ScriptedTransport()

  private func outline(
    _ flow: Flow, metadata: ServerMetadata? = nil, _ change: (inout Profile) throws -> Void = { _ in }
  ) async throws -> LoginOutline {
    let server = AuthorizationServer(
      profile: try sampleProfile(change), connection: connection(transport), secrets: MemorySecrets())
    return try await Login(server, metadata: metadata, clientSecret: nil)
      .outline(of: flow, redirectURI: "http://127.0.0.1:‹port›/callback", random: { "random" })
  }

  /// The parameters as `name=value`.
  private func parameters(_ request: LoginOutline.Request) -> [String] {
    zip(request.names, request.values).map { "\($0)=\($1)" }
  }

  @Test("the browser flow: the page with its parameters, then the exchange of the code")
  func browser() async throws {
    let outline = try await outline(.browser) {
      $0.endpoints.authorization = try WebURL("https://id.example/authorize")
      $0.scope = ["openid", "api"]
    }
    try #require(outline.requests.count == 2)
    let page = outline.requests[0]
    #expect(page.isFromBrowser && page.url.string == "https://id.example/authorize")
    for parameter in [
      "response_type=code", "client_id=cli", "redirect_uri=http://127.0.0.1:‹port›/callback", "scope=openid api",
      "state=‹random›", "nonce=‹random›", "code_challenge=‹SHA-256 of code_verifier›", "code_challenge_method=S256",
    ] { #expect(parameters(page).contains(parameter), "\(parameters(page))") }
    #expect(!outline.requests[1].isFromBrowser)
    for parameter in ["grant_type=authorization_code", "code=‹code›", "code_verifier=‹random›", "client_id=cli"] {
      #expect(parameters(outline.requests[1]).contains(parameter), "\(parameters(outline.requests[1]))")
    }
    #expect(transport.requests.isEmpty)
  }

  @Test("a pushed authorization request comes first; the browser then gets a reference (RFC 9126)")
  func pushed() async throws {
    let outline = try await outline(.browser) {
      $0.endpoints.authorization = try WebURL("https://id.example/authorize")
      $0.endpoints.pushedAuthorizationRequest = try WebURL("https://id.example/par")
    }
    #expect(outline.requests.map(\.url.path) == ["/par", "/authorize", "/token"])
    #expect(outline.requests[0].names.contains("code_challenge"))
    #expect(
      parameters(outline.requests[1]) == ["client_id=cli", "response_type=code", "request_uri=‹from the response›"])
  }

  @Test(
    "the other flows, with placeholders for what is typed or comes from a response",
    arguments: [
      (.password, [["grant_type=password", "password=‹password›"]]),
      (.clientCredentials, [["grant_type=client_credentials"]]),
      (.jwtBearer, [["assertion=‹JWT signed by the client›"]]),
      (.tokenExchange, [["subject_token=‹subject token›"]]),
      (.device, [["client_id=cli"], ["device_code=‹from the response›"]]), (.token, []),
    ] as [(Flow, [[String]])])
  func flows(flow: Flow, expected: [[String]]) async throws {
    let outline = try await outline(flow) {
      $0.flow = flow
      $0.endpoints.deviceAuthorization = try WebURL("https://id.example/device")
    }
    #expect(outline.requests.count == expected.count)
    for (request, some) in zip(outline.requests, expected) {
      #expect(Set(some).isSubset(of: parameters(request)), "\(parameters(request))")
    }
    #expect(transport.requests.isEmpty)
  }

  @Test("how the client authenticates; no secret of the profile is shown")
  func authentication() async throws {
    let basic = try await outline(.clientCredentials) { $0.clientAuthentication = .basic }
    #expect(basic.requests[0].authorization == "Basic ‹client ID and secret›")
    let post = try await outline(.clientCredentials) { $0.clientAuthentication = .post }
    #expect(parameters(post.requests[0]).contains("client_secret=‹client secret›"))
    let signed = try await outline(.clientCredentials) {
      $0.clientAuthentication = .privateKeyJWT
      $0.parameters.token = ["api_key": "topsecret", "x": "y"]
    }
    #expect(parameters(signed.requests[0]).contains("client_assertion=‹JWT signed by the client›"))
    #expect(parameters(signed.requests[0]).contains("x=y"))
    #expect(parameters(signed.requests[0]).contains("api_key=‹redacted›"))
  }

  @Test("a missing endpoint is the error of the login")
  func missing() async throws {
    await #expect(throws: AuthError.self) { try await outline(.device) { $0.endpoints.deviceAuthorization = nil } }
  }
}
