import Foundation
import TestSupport
import Testing

@Suite("the fields of a login, end to end")
struct FieldTests {
  @Test("missing fields are prompted for, the secret last and without echo")
  func questions() throws {
    let place = try Workplace(kind: .nested)
    let terminal = try PseudoTerminal()
    let run = try place.start(["login", "work", "--flow", "register"], input: .terminal(terminal))
    let server = place.lab.origin.dropFirst("http://".count)
    _ = try terminal.read(until: "email at \(server): ")
    #expect(terminal.echoes)
    try terminal.type("ada@x\n")
    _ = try terminal.read(until: "name at \(server): ")
    try terminal.type("Ada\n")
    _ = try terminal.read(until: "password at \(server): ")
    try Waiting.until("no echo") { !terminal.echoes }
    try terminal.type("hidden-word\n")
    let rest = try terminal.read(until: "logged in")
    #expect(!rest.contains("hidden-word"))
    #expect(try run.wait().status == 0)
    #expect(try place.run("call", "me").json().string("email") == "ada@x")
  }

  @Test("with --non-interactive nothing is asked, also at a terminal")
  func nonInteractive() throws {
    let place = try Workplace(kind: .nested)
    let terminal = try PseudoTerminal()
    let run = try place.start(["login", "work", "--non-interactive"], input: .terminal(terminal))
    #expect(try terminal.read(until: "--field").contains("the field email: it is missing"))
    #expect(try run.wait().status == 2)
  }

  @Test("a file may be a pipe, as a shell's <(…) is: for fields, passwords and header lines")
  func pipes() throws {
    let place = try Workplace(kind: .enveloped)
    // What a shell passes for <(…) is a descriptor that the program inherits; only a shell can make one.
    func shell(_ line: String) throws -> Outcome {
      try ProgramRun(
        "/bin/bash", ["-c", line], environment: place.session.environment.merging(["A": Workplace.binary]) { $1 },
        folder: place.session.directory
      ).wait()
    }
    let field = try shell("\"$A\" login work --field name=@<(echo Ada) --field image=@<(printf 12345)")
    field.expect(0)
    let me = try place.run("call", "me").json()
    #expect(me.string("name") == "Ada")
    #expect(try me.object("image").integer("length") == 5)
    let header = try shell("\"$A\" call echo -H @<(echo X-From-Pipe: yes)")
    #expect(try header.json().header("x-from-pipe") == "yes")
    try place.makeProfile(.silent)
    let password = try shell("\"$A\" login work --username alice --password-file <(echo alice-pass)")
    password.expect(0)
  }

  @Test("the trace of logins, refreshes and logouts shows no secret, wherever the profile puts it")
  func secrecy() throws {
    let place = try Workplace()
    try place.write(
      """
      type = "custom"
      base = "\(place.lab.origin)/kind1"
      api = ["\(place.lab.origin)/kind1/api"]
      secrets = ["pin"]
      [requests.login]
      url = "/auth/login?p={pin}"
      headers = { X-Any = "{pin}" }
      json = { username = "{username}", password = "{password}" }
      [requests.refresh]
      url = "/auth/refresh?t={refresh_token}"
      json = { refreshToken = "{refresh_token}" }
      headers = { X-Any = "{access_token}" }
      [requests.revoke]
      url = "/auth/logout"
      json = { refreshToken = "{refresh_token}" }
      [response]
      access_token = "/accessToken"
      refresh_token = "/refreshToken"
      """)
    let pin = try place.secretFile("pin of/alice\n", "pin")
    var outcomes = [
      try place.run(
        ["login", "work", "-v", "--username", "alice", "--password-stdin", "--field", "pin=@\(pin)"],
        input: .text(Workplace.password))
    ]
    let first = try place.pair()
    outcomes.append(try place.run("refresh", "-v", "work"))
    let second = try place.pair()
    outcomes.append(try place.run("logout", "-v", "work"))
    #expect(outcomes.map(\.status) == [0, 0, 0], "\(outcomes.map(\.error))")
    let request = try #require(try place.lab.lastRequests().first { $0.endpoint == "kind1.login" })
    #expect(request.header("x-any") == "pin of/alice" && request.target.hasSuffix("p=pin%20of%2Falice"))
    let secrets =
      [first, second].flatMap { [$0.string("access_token"), $0.string("refresh_token")].compactMap(\.self) }
      + ["pin of/alice", "pin%20of%2Falice", Workplace.password]
    #expect(secrets.count == 7)
    for (outcome, place) in zip(outcomes, ["", "background: ", ""]) {
      #expect(outcome.error.contains("> \(place)POST /kind1/auth/"), "\(outcome.error)")
      for secret in secrets { #expect(!outcome.error.contains(secret), "\(outcome.error)") }
    }
  }
}
