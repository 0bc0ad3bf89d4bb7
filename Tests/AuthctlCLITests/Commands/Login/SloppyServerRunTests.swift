import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

@Suite("SloppyServerRun") struct SloppyServerRunTests {
  @Test(
    "a response of any of these shapes logs in: mark in front, unknown and repeated members, any token_type, any life",
    arguments: [
      ("\u{FEFF}" + #"{"access_token":"T","token_type":"Bearer"}"#, false),
      (
        #" { "access_token" : "T" , "iat" : 1.5, "session_state": {"x":[null]}, "user": {"access_token":"no"} } "#,
        false
      ),
      (#"{"access_token":"T","access_token":"T","token_type":"bearer","token_type":"BEARER"}"#, false),
      (#"{"access_token":"T","token_type":"bEaReR","expires_in":600}"#, true),
      (#"{"access_token":"T","expires_in":"600"}"#, true), (#"{"access_token":"T","expires_in":600.5}"#, true),
      (#"{"access_token":"T","expires_in":"600.5"}"#, true), (#"{"access_token":"T","expires_in":-1}"#, false),
      (#"{"access_token":"T","expires_in":"soon"}"#, false), (#"{"access_token":"T","expires_in":null}"#, false),
      (#"{"access_token":"T","expires_in":1e300}"#, true), (#"{"access_token":"T","refresh_token":null}"#, false),
    ])
  func accepted(body: String, expires: Bool) async throws {
    let place = try Workplace()
    try place.makeProfile()
    try await place.response(at: "token", "malformed", ["body": body, "content_type": "text/plain"])
    let outcome = try await place.passwordLogin()
    try #require(outcome.status == 0, "\(outcome.error)")
    let pair = try place.pair()
    #expect(pair.string("access_token") == "T")
    #expect((pair.string("expires_at") != nil) == expires)
    #expect(try await place.run("token", "--header").text == "Authorization: Bearer T\n")
  }

  @Test("of a member that stands twice one value is taken, always the same one")
  func repeated() async throws {
    let place = try Workplace()
    try place.makeProfile()
    try await place.response(at: "token", "malformed", ["body": #"{"access_token":"A","access_token":"B"}"#])
    var taken: Set<String?> = []
    for _ in 0..<3 {
      #expect(try await place.passwordLogin().status == 0)
      taken.insert(try place.pair().string("access_token"))
    }
    #expect(taken.count == 1)
  }

  @Test("JSON under text/html is read (real-servers.md, 9)")
  func htmlType() async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"token_content_type":"text/html; charset=utf-8"}"#)
    try place.makeProfile()
    #expect(try await place.passwordLogin().status == 0)
    #expect(try await place.run("refresh", "work").status == 0)
  }

  @Test(
    "an unusable response: nothing is stored, and the message says at which address and why",
    arguments: [
      ("token", "html", [:], Int32(6), "is not JSON: 200, text/html"),
      ("token", "html", ["status": 405], 6, "no error code: 405, text/html"),
      ("token", "html", ["status": 503], 5, "returned 503"), ("token", "empty", [:], 6, "is not JSON: 200"),
      ("token", "flood", [:], 6, "larger than 1048576 bytes"),
      ("token", "flood", ["status": 400], 6, "larger than 1048576 bytes"),
      ("token", "malformed", ["body": "[1]"], 6, "not a JSON object"),
      ("token", "malformed", ["body": #"{"access_token":""}"#], 6, "no access_token"),
      ("token", "malformed", ["body": #"{"access_token":{"a":1}}"#], 6, "not a string"),
      ("token", "malformed", ["body": #"{"access_token":"a\r\nX: y"}"#], 6, "no token has"),
      ("token", "malformed", ["body": #"access_token=T&token_type=bearer"#], 6, "is not JSON: 200"),
      ("discovery", "html", [:], 6, "not JSON"), ("discovery", "flood", [:], 6, "larger than 1048576 bytes"),
      ("discovery", "empty", [:], 6, "not JSON"), ("discovery", "drop", [:], 5, "/.well-known/"),
      ("discovery", "redirect", ["location": "/other"], 6, "returned 404"),
      ("discovery", "redirect", ["location": "https://other.example/"], 6, "returned 302 to https://other.example/"),
    ] as [(String, String, [String: any Sendable], Int32, String)])
  func refused(endpoint: String, kind: String, members: [String: any Sendable], status: Int32, why: String) async throws
  {
    let place = try Workplace()
    try place.makeProfile()
    try await place.response(at: endpoint, kind, members)
    let outcome = try await place.passwordLogin()
    #expect(outcome.status == status, "\(outcome.error)")
    #expect(kind == "drop" || outcome.error.contains(why), "\(outcome.error)")
    #expect(
      kind == "drop" || outcome.error.contains(endpoint == "token" ? "/token" : "/.well-known/"), "\(outcome.error)")
    #expect(try place.stored() == nil)
    #expect(try await place.lab.count("token") <= 1)
  }

  @Test(
    "a server that issues a refresh token for a parameter only: the warning names the line that helps",
    arguments: [
      ("access_type", #"["openid","api"]"#, "does not list offline_access"),
      ("consent", #"["openid","api"]"#, "does not list offline_access"),
    ])
  func refreshTokenForParameter(rule: String, scopes: String, why: String) async throws {
    let place = try await AddressRunTests.place(#","refresh_token_for":"\#(rule)","scopes":\#(scopes)"#)
    let name = AddressRunTests.name(place.lab)
    let first = try await AddressRunTests.login(place, place.lab.origin + "/api")
    first.expect(0, error: "warning: no refresh token: the server \(why)")
    #expect(try place.pair(name).string("refresh_token") == nil)
    let hint = try #require(
      first.error.firstMatch(of: /run: authctl (profile edit \S+), and set (.+) in \[parameters\]\n/))
    let line = String(hint.2)
    let edit = await place.run(
      hint.1.split(separator: " ").map(String.init), at: try FakeConsole(isTerminal: true),
      with: .init(editor: FakeEditor { $0 + "\n[parameters]\n\(line)\n" }))
    edit.expect(0)
    let second = try await place.run(["login", name], browser: place.browser())
    #expect(second.status == 0 && !second.error.contains("warning"), "\(second.error)")
    #expect(try place.pair(name).string("refresh_token") != nil)
  }

  @Test("a server that issues a refresh token for offline_access only: the first login requests it")
  func refreshTokenForScope() async throws {
    let place = try await AddressRunTests.place(#","refresh_token_for":"offline_access","required_scope":"api""#)
    // The scope of the challenge is that of the API alone.
    try await place.lab.change(#"{"resource_metadata_url":"\#(place.lab.origin)/resource-metadata"}"#)
    let login = try await AddressRunTests.login(place, place.lab.origin + "/api")
    #expect(login.status == 0 && !login.error.contains("warning"), "\(login.error)")
    #expect(try place.pair(AddressRunTests.name(place.lab)).string("refresh_token") != nil)
  }

  @Test("10 MiB as the response to a revocation: reported, status 6, tokens gone")
  func floodedRevocation() async throws {
    let place = try await Workplace.loggedIn()
    try await place.response(at: "revoke", "flood", ["status": 400])
    let outcome = try await place.run("logout", "work")
    outcome.expect(6)
    #expect(try place.stored() == nil)
  }

  @Test("metadata of another issuer is refused, and nothing is sent")
  func issuerMismatch() async throws {
    let place = try Workplace()
    try place.makeProfile()
    try await place.lab.change(#"{"announced_issuer":"https://evil.example"}"#)
    let outcome = try await place.passwordLogin()
    outcome.expect(6, error: "for issuer 'https://evil.example'")
    #expect(try await place.lab.count("token") == 0)
  }

  @Test(
    "metadata with an endpoint over plain http is refused, and nothing is sent",
    arguments: ["token_endpoint", "authorization_endpoint", "revocation_endpoint", "device_authorization_endpoint"])
  func plainHTTP(member: String) async throws {
    let place = try Workplace()
    try place.makeProfile()
    try await place.response(
      at: "discovery", "malformed", ["body": try await place.metadata([member: "http://192.0.2.1/x"])])
    let outcome = try await place.passwordLogin()
    outcome.expect(6, error: "its \(member) is not usable: it is plain http")
    #expect(try await place.lab.count("token") == 0)
  }
}
