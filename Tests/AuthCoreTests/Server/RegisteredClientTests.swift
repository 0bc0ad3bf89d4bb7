import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import AuthCore

@Suite("RegisteredClient")
struct RegisteredClientTests {
  private let item = SecretItem(registrationAt: "https://id.example")
  private let secrets = MemorySecrets()

  private func client(
    _ id: String = "c1", secret: String? = nil, isManaged: Bool = true, _ more: String = ""
  ) throws -> RegisteredClient {
    let method = secret == nil ? "none" : "client_secret_post"
    let management =
      #","registration_access_token":"RAT","registration_client_uri":"https://id.example/register/\#(id)""#
    let text = """
      {"version":1,"client_id":"\(id)","token_endpoint":"https://id.example/token","token_endpoint_auth_method":"\(method)","scope":"openid api",\
      "redirect_uris":["http://127.0.0.1/callback","http://127.0.0.1:81/callback"],\
      "grant_types":["authorization_code","refresh_token"]\(secret.map { #","client_secret":"\#($0)""# } ?? "")\
      \(isManaged ? management : "")\(more)}
      """
    return try #require(RegisteredClient(stored: Secret(text)))
  }

  private func server(_ transport: ScriptedTransport, _ profile: Profile? = nil) throws -> AuthorizationServer {
    AuthorizationServer(
      profile: try profile ?? ClientRegistrationTests.profile(), connection: connection(transport), secrets: secrets)
  }

  @Test("a replaced client stays in the item for the sessions that were logged in with it")
  func formerClients() async throws {
    let (old, new) = (try client("c1", secret: "S1"), try client("c2", secret: "S2"))
    let stored = try new.replacing(old).stored()
    let read = try #require(RegisteredClient(stored: stored))
    #expect(read.clientID == "c2" && read.named("c1") == old && read.named("c3") == nil)
    secrets.put(stored, as: item)
    var pair = samplePair(access: "A1", refresh: "R1")
    pair.server = TokenPair.Server(
      issuer: "https://id.example", clientID: "c1", tokenEndpoint: nil, revocationEndpoint: nil)
    let server = try await server(ScriptedTransport([])).withClient(of: pair)
    #expect(server.profile.clientID == "c1")
    #expect(try await server.clientSecret(for: nil) == Secret("S1"))
    var many = try client("c0")
    for number in 1...20 { many = try client("n\(number)").replacing(many) }
    #expect(many.former.map(\.clientID) == (12...19).reversed().map { "n\($0)" })
  }

  @Test("the secret is sent to the origin of the token endpoint of its registration only, and such a login has another")
  func boundSecret() async throws {
    let client = try client(secret: "S1")
    #expect(RegisteredClient(stored: try client.stored())?.tokenEndpoint == client.tokenEndpoint)
    secrets.put(try client.stored(), as: item)
    let profile = try ClientRegistrationTests.profile { $0.endpoints.token = try WebURL("https://other.example/token") }
    let misled = try server(ScriptedTransport([]), profile).with(client)
    let error = await #expect(throws: AuthError.self) { try await misled.clientSecret(for: nil) }
    #expect(error?.explanation.why == "the registered client's secret is for another token endpoint")
    #expect(!client.covers(profile, flow: .browser, tokenEndpoint: nil, at: .sample))
    let moved = try WebURL("https://other.example/token")
    let discovering = try ClientRegistrationTests.profile { $0.endpoints.token = nil }
    #expect(!client.covers(discovering, flow: .browser, tokenEndpoint: moved, at: .sample))
    let stated = try ClientRegistrationTests.profile { $0.endpoints.token = try WebURL("https://id.example/v2/token") }
    #expect(try await server(ScriptedTransport([]), stated).with(client).clientSecret(for: nil) == Secret("S1"))
    var pair = samplePair(access: "A1", refresh: "R1")
    pair.server = TokenPair.Server(
      issuer: "https://id.example", clientID: "c1", tokenEndpoint: "https://other.example/token",
      revocationEndpoint: "https://other.example/revoke")
    let transport = ScriptedTransport([.response(200)])
    _ = try? await server(transport).with(client).revoke(pair)
    #expect(!transport.requests.contains { $0.body?.contains("S1") == true })
  }

  // MARK: - What it covers

  private static let logins: [(@Sendable (inout Profile) throws -> Void, Flow, Bool)] = [
    ({ _ in }, .browser, true), ({ $0.scope = [] }, .browser, true), ({ $0.scope = ["api"] }, .browser, true),
    ({ $0.scope = ["api", "more"] }, .browser, false), ({ _ in }, .device, false),
    ({ $0.redirectURI = [try RedirectURI("http://127.0.0.1:81/callback")] }, .browser, true),
    ({ $0.redirectURI = [try RedirectURI("http://127.0.0.1:99/callback")] }, .browser, false),
  ]

  @Test("a registration covers a login if its scopes, grants, URIs and secret do", arguments: logins.indices)
  func covers(index: Int) throws {
    let (change, flow, expected) = RegisteredClientTests.logins[index]
    let profile = try ClientRegistrationTests.profile(change)
    #expect(try client().covers(profile, flow: flow, tokenEndpoint: nil, at: .sample) == expected)
    let expired = try client(secret: "s", #","client_secret_expires_at":"2001-01-01T00:00:00Z""#)
    #expect(!expired.covers(profile, flow: flow, tokenEndpoint: nil, at: .sample))
  }

  @Test("an item that is damaged, or was written by a later version, holds no client")
  func damaged() {
    for text in ["", "{}", #"{"version":2,"client_id":"c"}"#, RegisteredClient.begun.exposed] {
      #expect(RegisteredClient(stored: Secret(text)) == nil)
    }
  }

  // MARK: - Whether the server knows it

  private func metadata() throws -> ServerMetadata {
    try ServerMetadata(
      JSONValue(parsing: Array(#"{"issuer":"https://id.example","token_endpoint":"https://id.example/token"}"#.utf8)),
      issuer: "https://id.example")
  }

  @Test(
    "the registration's address reports whether the server knows the client (RFC 7592, section 2.1)",
    arguments: [(200, true), (401, false), (404, false), (410, false), (503, true)])
  func read(status: Int, isKnown: Bool) async throws {
    let transport = ScriptedTransport([.response(status, "{}"), .response(400, #"{"error":"invalid_grant"}"#)])
    let confirmed = try await server(transport).confirmed(client(), metadata(), random: "r")
    #expect((confirmed != nil) == isKnown)
    let request = try #require(transport.requests.first)
    #expect(request.url == "https://id.example/register/c1")
    #expect(request.fields[.authorization] == "Bearer RAT")
  }

  @Test("a secret or token that the server has replaced is stored at once (RFC 7592, section 3)")
  func replaced() async throws {
    let body =
      #"{"client_id":"c1","client_secret":"new","registration_access_token":"RAT2","registration_client_uri":"#
      + #""https://id.example/register/c1"}"#
    let transport = ScriptedTransport([.response(200, body)])
    secrets.put(try client(secret: "old").stored(), as: item)
    let confirmed = try #require(
      try await server(transport).confirmed(client(secret: "old"), metadata(), random: "r"))
    #expect(confirmed.clientSecret == Secret("new"))
    #expect(confirmed.management?.token == Secret("RAT2"))
    #expect(RegisteredClient(stored: try #require(secrets.items[item])) == confirmed)
    secrets.put(try client("c2").replacing(client(secret: "old")).stored(), as: item)
    _ = try await server(ScriptedTransport([.response(200, body)]))
      .confirmed(client(secret: "old"), metadata(), random: "r")
    let both = secrets.items[item].flatMap { RegisteredClient(stored: $0) }
    #expect(both?.clientID == "c2" && both?.former == [confirmed])
  }

  @Test(
    "without an address, a token request with a made-up code reports it: an error about the client means gone",
    arguments: [
      (401, #"{"error":"invalid_client"}"#, false), (400, #"{"error":"invalid_grant"}"#, true),
      (400, #"{"error":"unauthorized_client"}"#, false),
      (400, #"{"error":"invalid_request","error_description":"Unknown client"}"#, false),
      (400, #"{"error":"invalid_request"}"#, true), (503, "", true),
    ])
  func probed(status: Int, body: String, isKnown: Bool) async throws {
    let transport = ScriptedTransport([.response(status, body)])
    let confirmed = try await server(transport).confirmed(
      client(secret: "s", isManaged: false), metadata(), random: "made-up")
    #expect((confirmed != nil) == isKnown)
    let form = try #require(transport.requests.first).form
    #expect(form.contains("code=made-up"))
    #expect(form.contains("client_id=c1"))
    #expect(form.contains("client_secret=s"))
  }

  // MARK: - Deleting

  @Test(
    "a client is deleted at the server, and the item in any case (RFC 7592, section 2.3)",
    arguments: [(204, 0), (401, 0), (404, 0), (503, 5), (403, 6), (302, 6)])
  func deleted(status: Int, exit: Int) async throws {
    secrets.put(try client().stored(), as: item)
    let transport = ScriptedTransport([.response(status)])
    let server = try server(transport)
    var failure: AuthError?
    do throws(AuthError) {
      _ = try await server.removeRegisteredClient()
    } catch {
      failure = error
    }
    switch failure {
    case nil: #expect(exit == 0)
    case .tryLater: #expect(exit == 5)
    case .refused: #expect(exit == 6)
    default: throw Unexpected(nil)
    }
    #expect(secrets.items.isEmpty)
    #expect(transport.requests.map(\.method) == [.delete])
  }

  @Test("replaced clients are deleted at the server, too; the result is that of the current one")
  func formerDeleted() async throws {
    secrets.put(try client("c2").replacing(client("c1")).stored(), as: item)
    let transport = ScriptedTransport([.response(403), .response(204)])
    #expect(try await server(transport).removeRegisteredClient() == nil)
    #expect(transport.requests.map(\.method) == [.delete, .delete])
    #expect(transport.requests.map(\.url) == ["c1", "c2"].map { "https://id.example/register/\($0)" })
  }

  @Test("a client that can't be deleted at the server is returned; without one nothing is sent")
  func notDeletable() async throws {
    let transport = ScriptedTransport()
    #expect(try await server(transport).removeRegisteredClient() == nil)
    secrets.put(try client(isManaged: false).stored(), as: item)
    #expect(try await server(transport).removeRegisteredClient()?.clientID == "c1")
    #expect(transport.requests.isEmpty)
  }

  // MARK: - At a refresh

  private func pair(_ clientID: String = "c1") -> TokenPair {
    var pair = samplePair()
    pair.server?.clientID = clientID
    return pair
  }

  private func refresher(_ transport: ScriptedTransport, _ profile: Profile? = nil) throws -> OAuthRefresher {
    OAuthRefresher(try server(transport, profile), pause: .milliseconds(1))
  }

  private static let success = ScriptedTransport.Step.response(200, #"{"access_token":"A2","refresh_token":"R2"}"#)

  @Test("a refresh uses the client of the tokens, with secret and method of the registration if it is the same client")
  func refreshed() async throws {
    secrets.put(try client(secret: "s").stored(), as: item)
    let transport = ScriptedTransport([RegisteredClientTests.success, RegisteredClientTests.success])
    let refreshed = try await refresher(transport).refresh(pair())
    #expect(refreshed.server?.clientID == "c1")
    #expect(
      transport.requests[0].form == [
        "grant_type=refresh_token", "refresh_token=R1", "client_id=c1", "client_secret=s",
      ])
    _ = try await refresher(transport).refresh(pair("other"))
    #expect(transport.requests[1].form == ["grant_type=refresh_token", "refresh_token=R1", "client_id=other"])
  }

  @Test("a profile with a client ID never reads the registration")
  func statedClient() async throws {
    let transport = ScriptedTransport([RegisteredClientTests.success])
    _ = try await refresher(transport, sampleProfile()).refresh(samplePair())
    #expect(secrets.loads == 0)
  }

  @Test("a server that has forgotten the client: a login is required; for the client of a profile the server refuses")
  func forgotten() async throws {
    let refusal = ScriptedTransport.Step.response(401, #"{"error":"invalid_client"}"#)
    let transport = ScriptedTransport([refusal, refusal])
    var reasons: [AuthError] = []
    for profile in [nil, try sampleProfile()] {
      let refresher = try refresher(transport, profile)
      do throws(RefreshFailure) {
        _ = try await refresher.refresh(profile == nil ? pair() : samplePair())
      } catch {
        reasons.append(error.reason)
      }
    }
    guard reasons.count == 2, case .loginRequired(let explanation) = reasons[0], case .refused = reasons[1] else {
      throw Unexpected(nil)
    }
    #expect(explanation.remedy == .logIn(session: "work"))
    #expect(explanation.serverError == "invalid_client")
    #expect(transport.requests.count == 2)
  }

  @Test("an expired secret is not sent: a login is required")
  func expired() async throws {
    secrets.put(
      try client(secret: "s", #","client_secret_expires_at":"2001-01-01T00:00:00Z""#).stored(), as: item)
    let transport = ScriptedTransport()
    let refresher = try refresher(transport)
    do throws(RefreshFailure) {
      _ = try await refresher.refresh(pair())
      throw RefreshFailure.other(.failed(.init("", why: "")))
    } catch {
      guard case .loginRequired = error.reason else { throw Unexpected(nil) }
    }
    #expect(transport.requests.isEmpty)
  }

  @Test("tokens of the profile's issuer are revoked as the client that got them")
  func revoked() async throws {
    secrets.put(try client(secret: "s").stored(), as: item)
    let transport = ScriptedTransport([.response(200), .response(200)])
    #expect(try await server(transport).revoke(pair()))
    for request in transport.requests {
      #expect(request.form.contains("client_id=c1"))
      #expect(request.form.contains("client_secret=s"))
    }
    #expect(transport.requests.count == 2)
  }
}
