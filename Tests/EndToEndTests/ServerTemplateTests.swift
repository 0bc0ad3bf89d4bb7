import Foundation
import TestSupport
import Testing

@Suite("the templates for servers with requests of their own, as they are shipped")
struct ServerTemplateTests {
  @Test("login, and a call with the token", arguments: ServerTemplate.allCases)
  func login(template: ServerTemplate) throws {
    let place = try Workplace.loggedIn(template)
    let call = try place.run("call", "me")
    call.expect(0)
    #expect(try call.json().string("name") == template.kind.user)
    let status = try JSONObject.array(place.run("status", "--json").output)[0]
    #expect(status.string("subject") == template.subject)
    #expect(status.string("state") == (template.knowsExpiry ? "valid" : "refreshable"))
    #expect(try place.run("logout", "work").status == 0)
    #expect(try place.lab.count("kind1.logout.ok") == (template == .jsonPair ? 1 : 0))
    #expect(try place.stored() == nil)
    #expect(try place.run("call", "me").status == 3)
  }

  @Test(
    "a token that is about to expire is refreshed before the API refuses it",
    arguments: ServerTemplate.allCases.filter(\.knowsExpiry))
  func expiry(template: ServerTemplate) throws {
    let place = try Workplace.loggedIn(template)
    // The fourth kind's life is an hour by agreement, the others' is ten minutes.
    let call = try place.run("call", "me", ahead: template == .registerNested ? 3580 : 580)
    call.expect(0)
    let name = template.kind.name
    // A call waits two seconds for it; on a machine that is busy it may come in the background.
    try Waiting.until("the refresh") { try place.lab.count("\(name).refresh.ok") == 1 }
    #expect(try place.lab.count("\(name).api") == 1)
  }

  @Test("the API refuses the token: one refresh, one replay", arguments: ServerTemplate.allCases)
  func replay(template: ServerTemplate) throws {
    let place = try Workplace.loggedIn(template)
    // The third kind says it with its code, whatever the status.
    if template == .successFlag { try place.lab.change(#"{"expired_status":403}"#) }
    try place.lab.expireAccessTokens()
    let call = try place.run("call", "me")
    call.expect(0)
    let counters = try place.lab.counters()
    let name = template.kind.name
    #expect(counters["\(name).refresh.ok"] == 1 && counters["\(name).api"] == 2, "\(counters)")
  }

  @Test(
    "the refresh is refused: exit 3, once to the hook, not sent again, and a login helps",
    arguments: ServerTemplate.allCases)
  func refusal(template: ServerTemplate) throws {
    let place = try Workplace.loggedIn(template)
    let mark = try place.standIn(for: "notify-send")
    try place.lab.revokeAll()
    let call = try place.run(["call", "me"], environment: mark.environment)
    #expect(call.status == 3 && call.text.isEmpty, "\(call.error)")
    #expect(call.error.contains("authctl login work"), "\(call.error)")
    #expect(try place.run(["refresh", "work"], environment: mark.environment).status == 3)
    #expect(try place.lab.count("\(template.kind.name).refresh") == 1)
    let told = try? String(contentsOf: mark.file, encoding: .utf8)
    #expect(told == (template == .jsonPair ? "authctl: log in to work\n" : nil))
    #expect(try place.logIn(template).status == 0)
    #expect(try place.run("call", "me").status == 0)
  }

  @Test(
    "responses with and without an envelope around the tokens, at the login and at refreshes (real-servers.md, 32)",
    arguments: [ServerTemplate.registerNested, .guestEnvelope], [true, false])
  func flat(template: ServerTemplate, isFlatLogin: Bool) throws {
    let place = try Workplace.loggedIn(template, settings: "{\"flat_tokens\":\(isFlatLogin)}")
    for isFlat in [!isFlatLogin, isFlatLogin] {
      try place.lab.change("{\"flat_tokens\":\(isFlat)}")
      let before = try place.pair()
      let refresh = try place.run("refresh", "work")
      refresh.expect(0)
      #expect(try place.pair().string("refresh_token") != before.string("refresh_token"))
      #expect(try place.run("call", "me").status == 0)
    }
  }

  @Test("tokens elsewhere than the profile points: exit 6, the members are named, and the next refresh works")
  func misplaced() throws {
    let place = try Workplace.loggedIn(.guestEnvelope)
    let body = #"{\"success\":true,\"code\":\"OK\",\"result\":{\"jwt\":\"s3cret\"},\"errors\":[]}"#
    try place.lab.fail(#"{"endpoint":"kind5.refresh","kind":"status","status":200,"body":"\#(body)"}"#)
    let refresh = try place.run("refresh", "work")
    refresh.expect(6, error: "no access token at /data/accessToken, /accessToken")
    #expect(refresh.error.contains("/code (string), /errors (array), /result/jwt (string), /success (boolean)"))
    #expect(!refresh.error.contains("s3cret"))
    try place.lab.clearFaults()
    let again = try place.run("refresh", "work")
    again.expect(0)
  }
}

extension Workplace {
  /// Puts a program in the search path that appends its arguments to a file.
  fileprivate func standIn(for program: String) throws -> (environment: [String: String?], file: URL) {
    let folder = session.directory.appending(path: "bin")
    let file = session.directory.appending(path: "told")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let script = folder.appending(path: program)
    // Written by another process: a child of another test could inherit the open file, which then can't be run.
    let text = "#!/bin/sh\necho \"$*\" >> '\(file.path)'\n"
    let writer = try ChildProcess(
      "/bin/sh", ["-c", #"printf %s "$1" > "$2" && chmod 755 "$2""#, "sh", text, script.path],
      environment: ["PATH": "/usr/bin:/bin"])
    #expect(writer.wait() == 0)
    let path = session.environment["PATH"] ?? "/usr/bin:/bin"
    return (["PATH": "\(folder.path):\(path)"], file)
  }
}
