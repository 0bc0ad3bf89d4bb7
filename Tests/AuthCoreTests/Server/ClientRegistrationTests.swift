import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import AuthCore

@Suite("ClientRegistration")
struct ClientRegistrationTests {
  private static let place = "https://id.example/register"
  private let item = SecretItem(registrationAt: "https://id.example")
  private let secrets = MemorySecrets()

  /// The sample profile without a client ID.
  static func profile(_ change: (inout Profile) throws -> Void = { _ in }) throws -> Profile {
    try sampleProfile {
      $0.clientID = ""
      $0.scope = ["openid", "api"]
      try change(&$0)
    }
  }

  private func server(_ transport: ScriptedTransport, _ profile: Profile? = nil) throws -> AuthorizationServer {
    AuthorizationServer(
      profile: try profile ?? ClientRegistrationTests.profile(), connection: connection(transport), secrets: secrets)
  }

  private func register(
    _ transport: ScriptedTransport, flow: Flow = .browser, methods: [String]? = nil, token: String? = nil,
    _ profile: Profile? = nil
  ) async throws -> RegisteredClient {
    let server = try server(transport, profile)
    var attempts = ClientRegistration.attempts
    return try await server.register(
      RegistrationRequest(server.profile, flow: flow, name: "app", ports: [81, 82, 83]),
      at: try WebURL(ClientRegistrationTests.place), metadata(methods), token: token.map { Secret($0) },
      attempts: &attempts)
  }

  private func metadata(_ methods: [String]?) throws -> ServerMetadata {
    let list = methods.map { #","token_endpoint_auth_methods_supported":\#($0)"# } ?? ""
    let text = #"{"issuer":"https://id.example","token_endpoint":"https://id.example/token"\#(list)}"#
    return try ServerMetadata(JSONValue(parsing: Array(text.utf8)), issuer: "https://id.example")
  }

  /// The error of a registration that must fail.
  private func failure(_ transport: ScriptedTransport, token: String? = nil) async throws -> ClientRegistration.Failure
  {
    do {
      _ = try await register(transport, token: token)
    } catch let error as ClientRegistration.Failure {
      return error
    }
    throw Unexpected(nil)
  }

  private static let uris = ["http://127.0.0.1/callback"] + [81, 82, 83].map { "http://127.0.0.1:\($0)/callback" }

  /// A response with the redirect URIs that were requested.
  private static func success(
    _ members: String = "", uris: [String] = ClientRegistrationTests.uris
  ) -> ScriptedTransport.Step {
    let list = uris.map { #""\#($0)""# }.joined(separator: ",")
    return .response(201, #"{"client_id":"c1","redirect_uris":[\#(list)]\#(members)}"#)
  }

  private func members(_ request: ScriptedTransport.Request) throws -> JSONValue {
    try JSONValue(parsing: Array(try #require(request.body).utf8))
  }

  // MARK: - The request

  @Test("the request describes a public native client, its URIs and the scopes of the login (RFC 7591, section 2)")
  func request() async throws {
    let transport = ScriptedTransport([ClientRegistrationTests.success()])
    let client = try await register(transport, methods: ["client_secret_basic"])
    #expect(client.clientID == "c1")
    #expect(client.authentication == .none)
    #expect(client.listeningURIs.map(\.port) == [81, 82, 83])
    let request = try #require(transport.requests.first)
    #expect(request.url == ClientRegistrationTests.place)
    #expect(request.method == .post)
    #expect(request.fields[.contentType] == "application/json")
    #expect(request.fields[.authorization] == nil)
    let expected: JSONValue = .object([
      "client_name": .string("app"), "application_type": .string("native"),
      "token_endpoint_auth_method": .string("none"), "scope": .string("openid api"),
      "response_types": .array([.string("code")]),
      "grant_types": .array([.string("authorization_code"), .string("refresh_token")]),
      "redirect_uris": .array(ClientRegistrationTests.uris.map { .string($0) }),
    ])
    #expect(try members(request) == expected)
  }

  @Test("for the device flow its grant is registered alone; a profile's own redirect URI replaces the standard ones")
  func variants() async throws {
    let profile = try ClientRegistrationTests.profile { $0.redirectURI = [try RedirectURI("http://localhost:99/x")] }
    let transport = ScriptedTransport([ClientRegistrationTests.success(uris: ["http://localhost:99/x"])])
    _ = try await register(transport, flow: .device, profile)
    let members = try members(try #require(transport.requests.first))
    #expect(members["grant_types"]?.strings == ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"])
    #expect(members["response_types"]?.strings == [])
    #expect(members["redirect_uris"]?.strings == ["http://localhost:99/x"])
  }

  @Test("an initial access token is sent as a bearer token (RFC 7591, section 3)")
  func initialAccessToken() async throws {
    let transport = ScriptedTransport([ClientRegistrationTests.success()])
    _ = try await register(transport, token: "IAT")
    #expect(transport.requests.first?.fields[.authorization] == "Bearer IAT")
  }

  // MARK: - After a 400

  @Test(
    "after a 400 the next request leaves out what the server complains about",
    arguments: [
      (#"{"error":"invalid_client_metadata","error_description":"scope not allowed"}"#, "scope"),
      (#"{"error":"invalid_scope"}"#, "scope"),
      (#"{"error":"invalid_redirect_uri"}"#, "ports"),
      (#"{"error":"invalid_client_metadata"}"#, "ports"),
      (#"{"error":"invalid_client_metadata","error_description":"token_endpoint_auth_method none"}"#, "method"),
      (#"{"error":"invalid_client_metadata","error_description":"Only one grant_type is supported"}"#, "grants"),
    ])
  func changed(error: String, what: String) async throws {
    let ports = Array(ClientRegistrationTests.uris.dropFirst())
    let secret = #","client_secret":"s","token_endpoint_auth_method":"client_secret_post""#
    let transport = ScriptedTransport([
      .response(400, error),
      what == "ports"
        ? ClientRegistrationTests.success(uris: ports)
        : ClientRegistrationTests.success(what == "method" ? secret : ""),
    ])
    _ = try await register(transport, methods: ["private_key_jwt", "client_secret_post"])
    #expect(transport.requests.count == 2)
    let sent = try members(try #require(transport.requests.last))
    #expect((sent["scope"] == nil) == (what == "scope"))
    #expect(sent["grant_types"]?.strings?.count == (what == "grants" ? 1 : 2))
    #expect(sent["redirect_uris"]?.strings == (what == "ports" ? ports : ClientRegistrationTests.uris))
    #expect(sent["token_endpoint_auth_method"]?.string == (what == "method" ? "client_secret_post" : "none"))
  }

  @Test("at most four requests: as preferred, the ports only, localhost, the first listed method with a secret")
  func atMostFour() async throws {
    let refusals = [ScriptedTransport.Step](
      repeating: .response(400, #"{"error":"invalid_client_metadata"}"#), count: 9)
    let transport = ScriptedTransport(refusals)
    guard case .refused(let why, wantsToken: false) = try await failure(transport) else { throw Unexpected(nil) }
    #expect(why == "https://id.example/register returned 400, invalid_client_metadata")
    #expect(transport.requests.count == 4)
    let sent = try transport.requests.map { try members($0) }
    #expect(
      sent.map { $0["redirect_uris"]?.strings?.first } == [
        "http://127.0.0.1/callback", "http://127.0.0.1:81/callback", "http://localhost:81/callback",
        "http://127.0.0.1:81/callback",
      ])
    #expect(
      sent.map { $0["token_endpoint_auth_method"]?.string } == ["none", "none", "none", "client_secret_basic"])
    #expect(secrets.items.isEmpty)
  }

  @Test("a refusal of the request itself: there is no way to a client by registration", arguments: [401, 403, 404])
  func refused(status: Int) async throws {
    let transport = ScriptedTransport([.response(status, #"{"error":"invalid_token"}"#)])
    guard case .refused(_, let wantsToken) = try await failure(transport) else { throw Unexpected(nil) }
    #expect(wantsToken == (status != 404))
    #expect(transport.requests.count == 1)
  }

  @Test("a server that fails, or can't be reached: try again later, nothing is stored")
  func later() async throws {
    for step in [ScriptedTransport.Step.response(503), .failure(.timedOut(detail: "slow"))] {
      guard case .failed(.tryLater) = try await failure(ScriptedTransport([step])) else { throw Unexpected(nil) }
    }
    #expect(secrets.items.isEmpty)
  }

  // MARK: - The response

  @Test(
    "a response that can't be used is refused, and nothing of it is stored",
    arguments: [
      (#"{"redirect_uris":["http://127.0.0.1/callback"]}"#, "the response has no usable client_id"),
      (#"{"client_id":"","redirect_uris":["http://127.0.0.1/callback"]}"#, "the response has no usable client_id"),
      (#"{"client_id":"a\u001bb","redirect_uris":["http://127.0.0.1/callback"]}"#, "no usable client_id"),
      (#"{"client_id":7,"redirect_uris":["http://127.0.0.1/callback"]}"#, "the response has no usable client_id"),
      (#"{"client_id":"c"}"#, "the response has no redirect_uris"),
      (
        #"{"client_id":"c","redirect_uris":["http://127.0.0.1/callback","https://evil.example/"]}"#,
        "a redirect URI that was not requested: https://evil.example/"
      ),
      (
        #"{"client_id":"c","redirect_uris":["http://127.0.0.1/callback"],"token_endpoint_auth_method":"tls_client_auth"}"#,
        "requires the client authentication tls_client_auth"
      ),
      (
        #"{"client_id":"c","redirect_uris":["http://127.0.0.1/callback"],"token_endpoint_auth_method":"client_secret_post"}"#,
        "requires client_secret_post, but has no client_secret"
      ),
      (
        #"{"client_id":"c","redirect_uris":["http://127.0.0.1/callback"],"client_secret":"s","client_secret_expires_at":9}"#,
        "the client_secret in the response has expired"
      ),
      ("<html>", "the response is not JSON"), ("", "the response is not JSON"),
    ])
  func unusable(body: String, reason: String) async throws {
    let transport = ScriptedTransport([.response(201, body)])
    guard case .failed(.refused(let explanation)) = try await failure(transport) else { throw Unexpected(nil) }
    #expect(explanation.why.contains(reason), "\(explanation.why)")
    #expect(secrets.items.isEmpty)
    #expect(transport.requests.count == 1)
  }

  @Test("a redirect is not followed")
  func redirected() async throws {
    let transport = ScriptedTransport([.response(307, fields: [.location: "https://evil.example/register"])])
    guard case .failed(.refused) = try await failure(transport) else { throw Unexpected(nil) }
    #expect(transport.requests.count == 1)
  }

  @Test("a secret is taken if the server insists on one, with its method and expiry; all of it is stored")
  func confidential() async throws {
    let expiry = Date.sample.addingTimeInterval(60)
    let members = """
      ,"client_secret":"s3","client_secret_expires_at":\(Int(expiry.timeIntervalSince1970)),\
      "token_endpoint_auth_method":"client_secret_post","registration_access_token":"RAT",\
      "registration_client_uri":"https://id.example/register/c1"
      """
    let client = try await register(ScriptedTransport([ClientRegistrationTests.success(members)]))
    #expect(client.clientSecret == Secret("s3"))
    #expect(client.authentication == .post)
    #expect(client.clientSecretExpiresAt == expiry)
    #expect(client.management == .init(url: try WebURL("https://id.example/register/c1"), token: Secret("RAT")))
    #expect(RegisteredClient(stored: try #require(secrets.items[item])) == client)
    #expect(client.isExpired(at: expiry))
    #expect(!client.isExpired(at: .sample))
  }

  @Test("a secret without a method is that of HTTP Basic; a public client's secret is dropped")
  func methods() async throws {
    let basic = try await register(ScriptedTransport([ClientRegistrationTests.success(#","client_secret":"s""#)]))
    #expect(basic.authentication == .basic)
    let members = #","client_secret":"s","token_endpoint_auth_method":"none""#
    let open = try await register(ScriptedTransport([ClientRegistrationTests.success(members)]))
    #expect(open.clientSecret == nil)
  }

  @Test(
    "an address of another origin than the endpoint never gets the registration's token",
    arguments: ["https://evil.example/r", "https://id.example:8443/r", "http://id.example/r", "nonsense"])
  func foreignAddress(uri: String) async throws {
    let members = #","registration_access_token":"RAT","registration_client_uri":"\#(uri)""#
    let transport = ScriptedTransport([ClientRegistrationTests.success(members)])
    let client = try await register(transport)
    #expect(client.management == nil)
    #expect(try await server(transport).delete(client) == false)
    #expect(transport.requests.count == 1)
  }

  // MARK: - The keyring

  @Test("a keyring that can't store the client: nothing is sent")
  func keyringFirst() async throws {
    secrets.failNextSaves(1)
    let transport = ScriptedTransport([ClientRegistrationTests.success()])
    guard case .failed(.storage) = try await failure(transport) else { throw Unexpected(nil) }
    #expect(transport.requests.isEmpty)
  }

  @Test("a client that can't be stored is deleted at the server")
  func deletedAgain() async throws {
    let members =
      #","registration_access_token":"RAT","registration_client_uri":"https://id.example/register/c1""#
    let transport = ScriptedTransport([ClientRegistrationTests.success(members), .response(204)])
    secrets.failNextSaves(1, after: 1)
    guard case .failed(.storage) = try await failure(transport) else { throw Unexpected(nil) }
    #expect(transport.requests.map(\.method) == [.post, .delete])
  }

  @Test("a failed registration keeps the client that was stored before")
  func formerKept() async throws {
    let former = try await register(ScriptedTransport([ClientRegistrationTests.success()]))
    _ = try await failure(ScriptedTransport([.response(503)]))
    #expect(RegisteredClient(stored: try #require(secrets.items[item])) == former)
  }
}
