import Foundation
import HTTPTypes
import SystemPackage
import TestSupport
import Testing

@testable import AuthCore

@Suite("DPoP: login, refresh, API")
struct DPoPSessionTests {
  private let events = EventLog()
  private let secrets = MemorySecrets()
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private static let token = "https://id.example/token"

  private func session(_ transport: ScriptedTransport, _ change: (inout Profile) throws -> Void = { _ in }) throws
    -> TokenSession
  {
    let profile = try sampleProfile {
      $0.dpop = true
      $0.flow = .password
      try change(&$0)
    }
    return TokenSession(
      profile, connection: connection(transport, events: events), secrets: secrets,
      lock: FileLock(folder.path.appending("lock")))
  }

  /// Logs in and stores the pair.
  private func logIn(_ session: TokenSession) async throws -> TokenPair {
    let server = session.server.withNewKey()
    let login = Login(server, metadata: nil, clientSecret: nil)
    let pair = try await login.password(username: "alice", password: Secret("p"))
    try await session.logIn(with: pair, secrets: LoginSecrets(tokenKey: server.newKey))
    return pair
  }

  private static let bound = ScriptedTransport.Step.response(
    200, #"{"access_token":"A1","refresh_token":"R1","token_type":"dpop","expires_in":3600}"#, at: token)

  private static let nonceDemand = ScriptedTransport.Step.response(
    400, #"{"error":"use_dpop_nonce"}"#, fields: [.dpopNonce: "n1"], at: token)

  private var storedKey: DPoPKey {
    get throws {
      try DPoPKey(stored: try #require(secrets.items[SecretItem(profile: "work", kind: .dpopKey)]))
    }
  }

  private func sender(_ session: TokenSession, _ transport: ScriptedTransport) -> AuthorizedSender {
    AuthorizedSender(
      transport,
      .init(
        session, header: session.profile.header, origins: session.profile.origins, refusals: RefusalRule()),
      events: events.handler)
  }

  private func get(_ url: String = "https://api.example/v1?x=y") throws -> Transfer {
    Transfer(method: .get, url: try WebURL(url))
  }

  @Test("a login binds its tokens to a new key, kept beside them; each login has its own")
  func login() async throws {
    let transport = ScriptedTransport([Self.bound, Self.bound])
    let session = try session(transport)
    let pair = try await logIn(session)
    let first = try storedKey.thumbprint
    #expect(pair.dpopThumbprint == first)
    #expect(pair.needsProof)
    let proof = try OpenedProof(transport.requests[0].fields)
    #expect(proof.claims["htm"] == .string("POST"))
    #expect(proof.claims["htu"] == .string(Self.token))
    _ = try await logIn(session)
    #expect(try storedKey.thumbprint != first)
    #expect(try await session.stored()?.dpopThumbprint == storedKey.thumbprint)
  }

  @Test("a demand for a nonce repeats the grant once, with a new proof (RFC 9449, section 8)")
  func tokenNonce() async throws {
    let transport = ScriptedTransport([Self.nonceDemand, Self.bound])
    _ = try await logIn(try session(transport))
    let proofs = try transport.requests.map { try OpenedProof($0.fields).claims }
    #expect(proofs.map { $0["nonce"]?.string } == [nil, "n1"])
    #expect(proofs[0]["jti"] != proofs[1]["jti"])
    #expect(transport.requests[0].form == transport.requests[1].form)
  }

  private static func demands(_ count: Int, _ status: Int, at url: String?) -> [ScriptedTransport.Step] {
    (1...count).map {
      .response(
        status, #"{"error":"use_dpop_nonce"}"#,
        fields: [.dpopNonce: "n\($0)", .wwwAuthenticate: #"DPoP error="use_dpop_nonce""#], at: url)
    }
  }

  @Test("if others use a nonce up, the grant is sent again with the newest one (real-servers.md, 24)")
  func contendedToken() async throws {
    let transport = ScriptedTransport(Self.demands(4, 400, at: Self.token) + [Self.bound])
    _ = try await logIn(try session(transport))
    let nonces = try transport.requests.map { try OpenedProof($0.fields).claims["nonce"]?.string }
    #expect(nonces == [nil, "n1", "n2", "n3", "n4"])
  }

  @Test(
    "repeated requests for a nonce end: retry later, and other callers do not share the failure (real-servers.md, 24)")
  func endless() async throws {
    let transport = ScriptedTransport([Self.bound] + Self.demands(20, 400, at: Self.token))
    let session = try session(transport)
    _ = try await logIn(session)
    let before = try await session.stored()
    let error = await #expect(throws: AuthError.self) { try await session.manager.refresh() }
    guard case .tryLater(let explanation)? = error else { throw Unexpected(error) }
    #expect(explanation.why.contains("another DPoP nonce"))
    #expect(transport.requests.count == 2 + NonceRetries.limit)
    #expect(try await session.stored() == before)
    let note = try await FileLock(folder.path.appending("lock")).withLock(.exclusive, deadline: .zero) { held in
      RecentFailure(leftIn: held) == nil
    }
    #expect(note == true)
  }

  @Test(
    "an API's nonce that others use up does not refuse the token: no refresh, a few more tries (real-servers.md, 24)"
  )
  func contendedCall() async throws {
    let transport = ScriptedTransport([Self.bound] + Self.demands(4, 401, at: nil) + [.response(200)])
    let session = try session(transport)
    _ = try await logIn(session)
    #expect(try await sender(session, transport).send(get(), redirects: .response).status == 200)
    let nonces = try transport.requests.dropFirst().map { try OpenedProof($0.fields).claims["nonce"]?.string }
    #expect(nonces == [nil, "n1", "n2", "n3", "n4"])
    #expect(!transport.requests.dropFirst().contains { $0.url == Self.token })
  }

  @Test("an API that asks for nonces without an end: try again later, without a refresh (real-servers.md, 24)")
  func endlessCall() async throws {
    let transport = ScriptedTransport([Self.bound] + Self.demands(20, 401, at: "https://api.example/v1?x=y"))
    let session = try session(transport)
    _ = try await logIn(session)
    let error = await #expect(throws: AuthError.self) {
      try await sender(session, transport).send(get(), redirects: .response)
    }
    guard case .tryLater? = error else { throw Unexpected(error) }
    #expect(transport.requests.count == 2 + NonceRetries.limit)
    #expect(transport.requests.count { $0.url == Self.token } == 1)
  }

  @Test("a new nonce is used at once, with a random pause of a second at the most after each failure, and not for ever")
  func pace() {
    var retries = NonceRetries()
    var pauses: [Duration] = []
    while let pause = retries.pause(chance: 1) { pauses.append(pause) }
    #expect(pauses.count == NonceRetries.limit)
    let (newNonce, waits) = (
      pauses.enumerated().filter { $0.offset % 2 == 0 }, pauses.enumerated().filter { $0.offset % 2 == 1 }
    )
    #expect(newNonce.allSatisfy { $0.element == .zero })
    #expect(
      waits.map(\.element) == [
        .milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800),
      ]
        + Array(repeating: .seconds(1), count: 5))
    retries = NonceRetries()
    _ = retries.pause()
    #expect(retries.pause(chance: 0) == .zero)
  }

  @Test("a request carries the token as DPoP and a proof for it; a request for a nonce needs no refresh")
  func call() async throws {
    let demand = ScriptedTransport.Step.response(401, fields: [.dpopNonce: "a1", .wwwAuthenticate: "DPoP"])
    let transport = ScriptedTransport([Self.bound, demand, .response(200), .response(200)])
    let session = try session(transport)
    _ = try await logIn(session)
    let sender = sender(session, transport)
    #expect(try await sender.send(get(), redirects: .response).status == 200)
    #expect(try await sender.send(get(), redirects: .response).status == 200)
    let requests = transport.requests.dropFirst()
    #expect(requests.map { $0.fields[.authorization] } == ["DPoP A1", "DPoP A1", "DPoP A1"])
    let claims = try requests.map { try OpenedProof($0.fields).claims }
    #expect(claims.map { $0["nonce"]?.string } == [nil, "a1", "a1"])
    #expect(claims.map { $0["htu"]?.string } == Array(repeating: "https://api.example/v1", count: 3))
    #expect(claims.allSatisfy { $0["ath"] != nil })
    #expect(transport.requests.filter { $0.url == Self.token }.count == 1)
    #expect(events.events.filter { $0 == .retryingWithNonce }.count == 1)
    #expect(transport.destinations.dropFirst() == ["discard", "collect(limit: 1048576)", "collect(limit: 1048576)"])
  }

  @Test("a 401 causes a refresh with a proof of the same key and a replay with a new one")
  func replay() async throws {
    let refreshed = ScriptedTransport.Step.response(
      200, #"{"access_token":"A2","token_type":"DPoP","expires_in":3600}"#, at: Self.token)
    let transport = ScriptedTransport([
      Self.bound, .response(401, fields: [.wwwAuthenticate: #"DPoP error="invalid_token""#, .dpopNonce: "x"]),
      refreshed,
      .response(401, fields: [.dpopNonce: "y", .wwwAuthenticate: "DPoP"]), .response(200),
    ])
    let session = try session(transport)
    _ = try await logIn(session)
    #expect(try await sender(session, transport).send(get(), redirects: .response).status == 200)
    let proofs = try transport.requests.map { try OpenedProof($0.fields) }
    let key = try storedKey.publicKey
    #expect(proofs.allSatisfy { $0.header["jwk"] == key })
    #expect(Set(proofs.compactMap { $0.claims["jti"]?.string }).count == 5)
    #expect(transport.requests.map { $0.fields[.authorization] } == [nil, "DPoP A1", nil, "DPoP A2", "DPoP A2"])
    #expect(try await session.stored()?.dpopThumbprint == storedKey.thumbprint)
  }

  @Test("neither token nor proof follow a redirect to another origin")
  func redirect() async throws {
    let transport = ScriptedTransport([
      Self.bound, .response(302, fields: [.location: "/v2"]), .response(302, fields: [.location: "https://x.example/"]),
      .response(200),
    ])
    let session = try session(transport)
    _ = try await logIn(session)
    _ = try await sender(session, transport).send(get(), redirects: .follow(keepingMethod: false))
    let requests = Array(transport.requests.dropFirst())
    #expect(try OpenedProof(requests[1].fields).claims["htu"] == .string("https://api.example/v2"))
    #expect(requests[2].fields[.dpop] == nil && requests[2].fields[.authorization] == nil)
  }

  @Test("a bearer token in spite of the proof is sent as such, with a warning; the refresh token may be bound")
  func bearer() async throws {
    let response = ScriptedTransport.Step.response(
      200, #"{"access_token":"A1","refresh_token":"R1","token_type":"Bearer","expires_in":3600}"#, at: Self.token)
    let transport = ScriptedTransport([response, .response(200), response])
    let session = try session(transport)
    let pair = try await logIn(session)
    #expect(events.events.contains { if case .warning(let text) = $0 { text.contains("bearer token") } else { false } })
    #expect(!pair.needsProof)
    let loads = secrets.loads
    _ = try await sender(session, transport).send(get(), redirects: .response)
    #expect(secrets.loads == loads + 1)
    #expect(transport.requests[1].fields[.authorization] == "Bearer A1")
    #expect(transport.requests[1].fields[.dpop] == nil)
    _ = try await session.manager.refresh()
    #expect(try OpenedProof(transport.requests[2].fields).header["jwk"] == storedKey.publicKey)
  }

  @Test("without the key, or with that of another login, a login is required, and nothing is sent")
  func keyLost() async throws {
    let transport = ScriptedTransport([Self.bound])
    let session = try session(transport)
    _ = try await logIn(session)
    let item = SecretItem(profile: "work", kind: .dpopKey)
    for (secret, word) in [
      (nil, "is not stored"), (DPoPKey().stored(), "another login"), (Secret("x"), "be read"),
    ] {
      secrets.put(secret, as: item)
      do throws(AuthError) {
        _ = try await session.credential(replacing: nil)
        Issue.record("it was given")
      } catch {
        guard case .loginRequired(let explanation) = error else { throw Unexpected(error) }
        #expect(explanation.why.contains(word))
      }
      await #expect(throws: AuthError.self) { try await session.manager.refresh() }
    }
    #expect(transport.requests.count == 1)
  }

  @Test("a logout removes the key, and a login without DPoP too")
  func removal() async throws {
    let plain = ScriptedTransport.Step.response(200, #"{"access_token":"A9"}"#, at: Self.token)
    let transport = ScriptedTransport([Self.bound, Self.bound, plain])
    let item = SecretItem(profile: "work", kind: .dpopKey)
    _ = try await logIn(try session(transport))
    _ = try await session(transport).logOut(localOnly: true)
    #expect(secrets.items[item] == nil)
    _ = try await logIn(try session(transport))
    #expect(secrets.items[item] != nil)
    _ = try await logIn(try session(transport) { $0.dpop = false })
    #expect(secrets.items[item] == nil)
  }

  @Test("the authorization request names the key (RFC 9449, section 10)")
  func authorizationRequest() throws {
    let server = try session(ScriptedTransport()) {
      $0.flow = .browser
      $0.endpoints.authorization = try WebURL("https://id.example/a")
    }.server.withNewKey()
    let request = try Login(server, metadata: nil, clientSecret: nil)
      .authorizationRequest(redirectURI: "http://127.0.0.1:1/", random: { "r" })
    let thumbprint = try #require(server.newKey).thumbprint
    #expect(request.url.query?.split(separator: "&").contains("dpop_jkt=\(thumbprint)") == true)
  }

  @Test("a token of elsewhere that is bound to a key is of no use")
  func given() throws {
    let login = Login(try session(ScriptedTransport()).server, metadata: nil, clientSecret: nil)
    #expect(throws: AuthError.self) { try login.tokens(#"{"access_token":"a","token_type":"DPoP"}"#) }
  }
}
