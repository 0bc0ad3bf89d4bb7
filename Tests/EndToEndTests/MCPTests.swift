import Foundation
import TestSupport
import Testing

@Suite("an MCP server of the Python package mcp")
struct MCPTests {
  private static let initialize = #"""
    {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":\#
    {"name":"authctl","version":"1"}}}
    """#
  private static let listTools = #"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#

  /// A response of the MCP server: the message of its event stream, and the session that it belongs to.
  private struct Response {
    let message: JSONObject
    let session: String
  }

  /// Sends a message to the server with `call`.
  private func send(_ message: String, _ place: Workplace, _ server: MCPServer, session: String? = nil) throws
    -> Response
  {
    let accept = ["-H", "Accept: application/json, text/event-stream"]
    let fields = accept + (session.map { ["-H", "Mcp-Session-Id: \($0)"] } ?? [])
    let outcome = try place.run(
      ["call"] + fields + ["--json", message, "-w", #"\n%header{mcp-session-id}"#, server.url])
    try #require(outcome.status == 0, "\(outcome.error)")
    let lines = outcome.text.split(whereSeparator: \.isNewline)
    let data = try #require(lines.first { $0.hasPrefix("data: {") }, "\(outcome.text)").dropFirst(6)
    return Response(message: try JSONObject(Data(data.utf8)), session: String(lines.last ?? ""))
  }

  /// Opens a session, and checks that it lists the server's tool.
  private func useTools(_ place: Workplace, _ server: MCPServer) throws {
    let opened = try send(MCPTests.initialize, place, server)
    #expect(try opened.message.object("result").object("serverInfo").string("name") == "notes")
    let listed = try send(MCPTests.listTools, place, server, session: opened.session)
    #expect(try listed.message.object("result").strings(of: "name", in: "tools") == ["add"])
  }

  private func logIn(_ place: Workplace, _ server: MCPServer, _ more: [String] = [], url: String? = nil) throws
    -> Outcome
  {
    try place.logIn(at: url ?? server.url, more, password: server.password)
  }

  @Test("from a fresh account: login URL, initialize, tools/list, refresh, logout, removal of the profile")
  func life() throws {
    let (place, server) = (try Workplace(), try MCPServer(["--access-lifetime", "600"]))
    let login = try logIn(place, server)
    try #require(login.status == 0, "\(login.error)")
    let client = try #require(try place.registration(at: server.issuer))
    let id = try #require(client.string("client_id"))
    #expect(login.error.contains("registered as \(id)"), "\(login.error)")
    #expect(login.error.contains("authctl call \(server.url)"), "\(login.error)")
    // The server lists methods with a secret only, and yet registers public clients.
    #expect(client.string("client_secret") == nil)
    let profile = try String(contentsOf: place.file(server.profile), encoding: .utf8)
    #expect(profile.contains("issuer = \"\(server.issuer)\"\n"))
    #expect(profile.contains("api = [\"\(server.url)\"]\n"))
    #expect(profile.contains("scope = [\"tools\"]\n"))
    #expect(profile.contains("resource = [\"\(server.url)\"]\n"))
    #expect(!profile.contains("\nclient_id"))

    try useTools(place, server)
    let first = try place.pair(server.profile)
    #expect(try place.run("refresh").status == 0)
    #expect(try place.pair(server.profile).string("refresh_token") != first.string("refresh_token"))
    try useTools(place, server)

    // The server takes no revocation without client_secret, not even of a public client.
    let logout = try place.run("logout")
    logout.expect(0)
    #expect(try place.stored(server.profile) == nil)
    #expect(try place.registration(at: server.issuer)?.string("client_id") == id)
    // The server offers no management of registrations (RFC 7592): the client is forgotten here only.
    let removal = try place.run("profile", "remove", server.profile, "--non-interactive")
    removal.expect(0)
    #expect(try place.registration(at: server.issuer) == nil)
    #expect(!FileManager.default.fileExists(atPath: place.file(server.profile).path))
  }

  @Test("the commands of the README work as they stand there")
  func readme() throws {
    let (place, server) = (try Workplace(), try MCPServer())
    let file = Workplace.servers.deletingLastPathComponent().deletingLastPathComponent().appending(path: "README.md")
    let section = try #require(
      try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n## MCP servers\n").dropFirst().first)
    let block = try #require(section.firstMatch(of: /```sh\n(.+)\n((?s:.+?))```/))
    let url = "http://127.0.0.1:8000/mcp"
    #expect(block.1 == "authctl login \(url)")
    let login = try logIn(place, server)
    try #require(login.status == 0, "\(login.error)")
    let outcome = try place.shell("set -eu -o pipefail\n" + block.2.replacing(url, with: server.url))
    outcome.expect(0)
    let lines = outcome.text.split(separator: "\n")
    #expect(lines.first == "add" && lines.count == 2, "\(outcome.text)")
    let result = try JSONObject(Data(try #require(lines.last).utf8)).object("result")
    #expect(result.string("resultType") == "complete" && outcome.text.contains(#""text":"3""#), "\(outcome.text)")
  }

  @Test("an expired access token is refreshed by the call")
  func expiry() throws {
    let (place, server) = (try Workplace(), try MCPServer(["--access-lifetime", "2"]))
    try #require(try logIn(place, server).status == 0)
    let first = try place.pair(server.profile)
    try place.waitForExpiry(server.profile)
    try useTools(place, server)
    #expect(try place.pair(server.profile).string("access_token") != first.string("access_token"))
  }

  @Test(
    "the addresses around the MCP server's own lead to it as well",
    arguments: ["/mcp/", "/.well-known/oauth-protected-resource/mcp"])
  func addresses(path: String) throws {
    let (place, server) = (try Workplace(), try MCPServer())
    let login = try logIn(place, server, url: server.issuer + path)
    try #require(login.status == 0, "\(login.error)")
    try useTools(place, server)
  }

  @Test(
    "the authorization server's own address leads to a login without an API, which --api adds",
    arguments: ["", "/", "/.well-known/oauth-authorization-server"])
  func issuer(path: String) throws {
    let (place, server) = (try Workplace(), try MCPServer())
    let bare = try logIn(place, server, url: server.issuer + path)
    bare.expect(0, error: "--api")
    let more = ["-p", "tools", "--api", server.url, "--resource", server.url, "--scope", "tools"]
    let login = try logIn(place, server, more, url: server.issuer + path)
    try #require(login.status == 0, "\(login.error)")
    try useTools(place, server)
  }

  @Test("a server that registers no public clients: the secret is stored and sent")
  func confidential() throws {
    let (place, server) = (try Workplace(), try MCPServer(["--confidential-clients"]))
    let login = try logIn(place, server)
    try #require(login.status == 0, "\(login.error)")
    #expect(try place.registration(at: server.issuer)?.string("client_secret")?.count == 64)
    try useTools(place, server)
    #expect(try place.run("refresh").status == 0)
  }

  @Test("a second login uses the registration again, another account of the same server shares it")
  func again() throws {
    let (place, server) = (try Workplace(), try MCPServer())
    try #require(try logIn(place, server).status == 0)
    let id = try #require(try place.registration(at: server.issuer)?.string("client_id"))
    for more in [[], ["-p", "other"]] {
      let login = try logIn(place, server, more)
      try #require(login.status == 0, "\(login.error)")
      #expect(try place.registration(at: server.issuer)?.string("client_id") == id)
    }
    // The other profile still uses it.
    #expect(try place.run("logout", "other").status != 4)
    #expect(try place.run("profile", "remove", "other", "--non-interactive").status == 0)
    #expect(try place.registration(at: server.issuer)?.string("client_id") == id)
    try useTools(place, server)
  }

  @Test("a server that has forgotten the client: exit 3 at a refresh, and the next login registers another one")
  func forgotten() throws {
    let (place, server) = (try Workplace(), try MCPServer())
    try #require(try logIn(place, server).status == 0)
    let old = try #require(try place.registration(at: server.issuer)?.string("client_id"))
    server.stop()
    let restarted = try MCPServer(port: server.port)
    let refresh = try place.run("refresh")
    refresh.expect(3, error: "authctl login \(server.profile)")
    #expect(try place.registration(at: server.issuer)?.string("client_id") == old)
    let login = try logIn(place, restarted)
    try #require(login.status == 0, "\(login.error)")
    #expect(try place.registration(at: server.issuer)?.string("client_id") != old)
    try useTools(place, restarted)
  }

  @Test("a denied login is exit 6, stores no tokens and writes no profile; the next one uses its registration")
  func denied() throws {
    let (place, server) = (try Workplace(), try MCPServer())
    let denied = try place.logIn(at: server.url, action: "deny", password: server.password)
    denied.expect(6, error: "access_denied")
    #expect(!FileManager.default.fileExists(atPath: place.file(server.profile).path))
    let id = try #require(try place.registration(at: server.issuer)?.string("client_id"))
    let login = try logIn(place, server)
    try #require(login.status == 0, "\(login.error)")
    #expect(try place.registration(at: server.issuer)?.string("client_id") == id)
    try useTools(place, server)
  }
}
