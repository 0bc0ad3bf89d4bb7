import Foundation
import HTTPTypes
import SystemPackage
import TestSupport
import Testing

@testable import AuthCore

@Suite("a session without a store")
struct OnDemandSessionTests {
  private let events = EventLog()
  private let secrets = MemorySecrets()
  private let rescue = MemoryRescue()
  private let folder: TemporaryDirectory
  private let lock: CountingLock

  init() throws {
    folder = try TemporaryDirectory()
    lock = CountingLock(FileLock(folder.path.appending("lock")))
    let file = try folder.write("shh", to: "secret")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    secrets.fail(.noBus)
  }

  private func session(_ transport: ScriptedTransport, _ change: (inout Profile) throws -> Void = { _ in }) throws
    -> TokenSession
  {
    let profile = try sampleProfile {
      $0.store = .nothing
      $0.flow = .clientCredentials
      $0.clientAuthentication = .post
      $0.clientSecretFile = folder.path.appending("secret").string
      try change(&$0)
    }
    return TokenSession(
      profile, connection: connection(transport, events: events), secrets: secrets, lock: lock, rescue: rescue)
  }

  private static func token(_ name: String, _ more: String = "") -> ScriptedTransport.Step {
    .response(200, #"{"access_token":"\#(name)","token_type":"bearer","expires_in":3600\#(more)}"#)
  }

  @Test("the first token is requested without a login, and used again; store and lock are not touched")
  func first() async throws {
    let transport = ScriptedTransport([Self.token("A1")])
    let session = try session(transport)
    #expect(try await session.stored() == nil)
    #expect(try await session.token().accessToken == Secret("A1"))
    #expect(try await session.token().accessToken == Secret("A1"))
    #expect(
      transport.requests.map(\.form) == [["grant_type=client_credentials", "client_id=cli", "client_secret=shh"]])
    #expect(secrets.loads == 0 && secrets.saves == 0 && lock.uses == 0)
    #expect(events.events.contains(.refreshing(because: "no token has been requested yet")))
    #expect(!events.events.contains { if case .saved = $0 { true } else { false } })
  }

  @Test("many callers at once cause one request")
  func parallel() async throws {
    let transport = ScriptedTransport([Self.token("A1"), Self.token("A2")])
    let session = try session(transport)
    let tokens = try await withThrowingTaskGroup(of: Secret.self) { group in
      for _ in 0..<50 { group.addTask { try await session.token().accessToken } }
      return try await group.reduce(into: Set<Secret>()) { $0.insert($1) }
    }
    #expect(tokens == [Secret("A1")])
    #expect(transport.requests.count == 1)
  }

  @Test("after a 401 one other token is requested, and the request is replayed with it")
  func refused() async throws {
    let api = "https://api.example/v1"
    let transport = ScriptedTransport([
      .response(401, at: api), .response(200, "ok", at: api), Self.token("A1"), Self.token("A2"),
    ])
    let session = try session(transport)
    let sender = AuthorizedSender(
      transport,
      .init(session, header: session.profile.header, origins: session.profile.origins, refusals: RefusalRule()),
      events: events.handler)
    let transfer = Transfer(method: .get, url: try WebURL(api))
    #expect(try await sender.send(transfer, redirects: .response).status == 200)
    let sent = transport.requests.filter { $0.url == api }.map { $0.fields[.authorization] }
    #expect(sent == ["Bearer A1", "Bearer A2"])
    #expect(transport.requests.count == 4)
  }

  @Test("a refresh token in the response is not kept: the grant is repeated")
  func refreshToken() async throws {
    let transport = ScriptedTransport([Self.token("A1", #","refresh_token":"R1""#), Self.token("A2")])
    let session = try session(transport)
    #expect(try await session.token().refreshToken == nil)
    #expect(try await session.refresh().accessToken == Secret("A2"))
    #expect(transport.requests.map { $0.form.first } == Array(repeating: "grant_type=client_credentials", count: 2))
  }

  @Test("the client signs an assertion for each request of the jwt-bearer flow")
  func jwtBearer() async throws {
    let key = try folder.write(SampleKeys.p256JWK, to: "key")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    let transport = ScriptedTransport([Self.token("A1"), Self.token("A2")])
    let session = try session(transport) {
      $0.flow = .jwtBearer
      $0.clientAuthentication = .none
      $0.assertion.key = key
    }
    _ = try await session.token()
    _ = try await session.refresh()
    let assertions = transport.requests.compactMap { $0.form.first { $0.hasPrefix("assertion=") } }
    #expect(assertions.count == 2 && Set(assertions).count == 2)
    #expect(secrets.loads == 0)
  }

  @Test("a failure says that a token was requested, and promises nothing that is kept; the next call tries again")
  func failure() async throws {
    let transport = ScriptedTransport([.response(401, #"{"error":"invalid_client"}"#), Self.token("A1")])
    let session = try session(transport)
    let error = await #expect(throws: AuthError.self) { try await session.token() }
    guard case .refused(let explanation)? = error else { throw Unexpected("\(String(describing: error))") }
    #expect(explanation.what == "requesting a token for work")
    #expect(try await session.token().accessToken == Secret("A1"))
  }

  @Test("a server that is unavailable: try later, without a word about tokens that are kept")
  func unavailable() async throws {
    let transport = ScriptedTransport([])
    let session = try session(transport) { $0.network.timeout = .milliseconds(1) }
    let error = await #expect(throws: AuthError.self) { try await session.token() }
    guard case .tryLater(let explanation)? = error else { throw Unexpected("\(String(describing: error))") }
    #expect(explanation.what == "requesting a token for work" && !explanation.hint.contains("kept"))
  }

  @Test("with dpop, a session has a key of its own, which proves the requests to server and API (RFC 9449)")
  func dpop() async throws {
    let transport = ScriptedTransport([
      .response(200, #"{"access_token":"A1","token_type":"DPoP","expires_in":3600}"#)
    ])
    let session = try session(transport) { $0.dpop = true }
    let pair = try await session.token()
    #expect(pair.needsProof)
    let proof = try OpenedProof(try #require(transport.requests.first).fields)
    #expect(proof.claims["htu"] == .string("https://id.example/token"))
    #expect(try await session.credential(replacing: nil).prover?.key.thumbprint == pair.dpopThumbprint)
    #expect(secrets.loads == 0)
  }
}
