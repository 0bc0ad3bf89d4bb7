import Testing

@testable import AuthCore

@Suite("CustomLogin")
struct CustomLoginTests {
  private func login(_ transport: ScriptedTransport) async throws -> TokenPair {
    let profile = try customProfile()
    let server = try #require(profile.custom)
    let login = CustomLogin(
      profile, server: server, connection: connection(transport), imageFitting: { NoImageFitting() })
    return try await login.pair(
      try server.loginRequest(of: profile.name), requestValues(["username": "alice", "password": "pw"]))
  }

  @Test("the pair keeps the origin that it came from, and is refreshed only there")
  func server() async throws {
    let transport = ScriptedTransport([.response(201, #"{"token":{"accessToken":"A","refreshToken":"R"},"user":{}}"#)])
    let pair = try await login(transport)
    #expect(pair.accessToken == Secret("A") && pair.refreshToken == Secret("R") && pair.flow == "login")
    #expect(pair.server?.tokenEndpoint == "https://id.example/")
    #expect(transport.requests.first?.body == #"{"password":"pw","username":"alice"}"#)
    var moved = try customProfile()
    #expect(pair.server?.change(in: moved) == nil)
    // One origin of the login is still there, but requests may go to another one, too.
    moved.custom?.origins.insert(try WebURL("https://other.example").origin)
    #expect(pair.server?.change(in: moved) == .tokenEndpoint)
    moved.custom?.origins = [try WebURL("https://other.example").origin]
    #expect(pair.server?.change(in: moved) == .tokenEndpoint)
  }

  @Test(
    "a login that returns no token is an error, reported without the body",
    arguments: [
      (200, "{}", "no access token at /accessToken"), (204, "", "is not JSON: 204, no content type, empty"),
      (200, "secret-token", "is not JSON: 200, no content type, one word"),
      (401, #"{"message":"wrong\u001b[2J"}"#, "401, no error code: wrong\\u{1b}[2J"),
      (200, #"{"success":false,"errorCode":"BAD","message":"no"}"#, "200, BAD: no"),
    ])
  func refused(status: Int, body: String, why: String) async throws {
    let error = await #expect(throws: AuthError.self) { try await login(ScriptedTransport([.response(status, body)])) }
    guard case .refused(let explanation) = error else { throw Unexpected(error) }
    #expect(explanation.why.contains(why) && !explanation.why.contains("secret-token"))
  }

  @Test(
    "the user is the first pointer that finds a text or a number",
    arguments: [
      (#","user":{"email":"a@x"},"id":7"#, "a@x"), (#","user":{"email":null},"id":7"#, "7"), (#","id":true"#, nil),
    ] as [(String, String?)])
  func subject(members: String, subject: String?) async throws {
    var profile = try customProfile()
    profile.custom?.response.subject = ["/user/email", "/id"].compactMap { JSONPointer($0) }
    let server = try #require(profile.custom)
    let login = CustomLogin(
      profile, server: server,
      connection: connection(ScriptedTransport([.response(200, #"{"accessToken":"A"\#(members)}"#)])),
      imageFitting: { NoImageFitting() })
    let values = requestValues(["username": "alice", "password": "pw"])
    #expect(try await login.pair(try server.loginRequest(of: profile.name), values).subject == subject)
  }

  @Test("a login is sent once, also where the server fails")
  func once() async throws {
    let transport = ScriptedTransport([.response(503), .response(200, #"{"accessToken":"A"}"#)])
    let error = await #expect(throws: AuthError.self) { try await login(transport) }
    guard case .tryLater(let explanation) = error else { throw Unexpected(error) }
    #expect(transport.left == 1)
    #expect(explanation.hint == "the server failed: log in again later, or ask its operator")
  }

  @Test("a server that can't be reached is not called one that failed")
  func unreachable() async throws {
    let transport = ScriptedTransport([.failure(.unreachable(detail: "connection refused"))])
    let error = await #expect(throws: AuthError.self) { try await login(transport) }
    #expect(error?.explanation.hint == "check the network and the server's address")
    #expect(error?.explanation.remedy == .tryAgain(after: nil))
  }

  @Test("a flow that the profile has not is named with the nearest that it has")
  func flow() throws {
    var server = try #require(customProfile().custom)
    server.flow = "logon"
    let error = #expect(throws: AuthError.self) { try server.loginRequest(of: #require(ProfileName("work"))) }
    #expect(error?.explanation.hint == "did you mean 'login'? known: login, token")
    server.flow = "refresh"
    #expect(throws: AuthError.self) { try server.loginRequest(of: #require(ProfileName("work"))) }
  }
}
