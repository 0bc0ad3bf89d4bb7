import Foundation
import TestSupport
import Testing

@Suite("FieldRun") struct FieldRunTests {
  @Test(
    "an invalid field is reported before anything is sent: status 2",
    arguments: [
      (["--field", "email=a@x"], "the field password: it is missing", "--password-stdin"),
      (["--flow", "register", "--field", "email=a@x"], "the field name: it is missing", "--field name=VALUE"),
      (["--field", "emial=a@x"], "--field emial: the request has no such placeholder", "did you mean 'email'?"),
      (["--field", "password=do-not-tell"], "--field password: it is a secret", "--field password=@FILE"),
      (["--field", "email"], "--field: not NAME=VALUE", "--field name=Alice"),
      (["--field", "email=a", "--field", "email=b"], "--field email: it is given twice", "remove one"),
      (["--field", "email=@/not/there"], "--field email: /not/there can't be read", "check the path"),
      (
        ["--username", "alice", "--field", "email=a"], "--field username: the request has no such placeholder",
        "known: email"
      ),
      (
        ["--field", "email=@-", "--password-stdin"], "--field email: standard input is already used for another value",
        "file"
      ),
      (["--flow", "registre"], "it has no request 'registre' to log in with", "did you mean 'register'?"),
      (["--flow", "refresh"], "it has no request 'refresh' to log in with", "known: login, register"),
      (["--client-id", "x"], "profile work is of type custom and has a different", "edit "),
    ])
  func wrong(options: [String], message: String, hint: String) async throws {
    let place = try Workplace(kind: .nested)
    let outcome = try await place.run(["login", "work"] + options)
    outcome.expect(2)
    #expect(outcome.error.contains(message) && outcome.error.contains(hint), "\(outcome.error)")
    #expect(!outcome.error.contains("do-not-tell"))
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  @Test("a file is a file: a plain value is refused, and a text must be UTF-8")
  func files() async throws {
    let place = try Workplace(kind: .enveloped)
    let plain = try await place.run("login", "work", "--field", "name=a", "--field", "image=a.png")
    plain.expect(2, error: "--field image=@FILE")
    let file = place.folder.appending(path: "latin1")
    try Data([0xE9, 0x0A]).write(to: file)
    let text = try await place.run("login", "work", "--field", "name=@\(file.path)")
    text.expect(2, error: "is not UTF-8 text")
  }

  @Test("options can't describe a server with custom requests; --field is for such a server only")
  func types() async throws {
    let place = try Workplace()
    let custom = try await place.run("login", "new", "--type", "custom", "--api", "https://x.example")
    custom.expect(2, error: "authctl-profile(5)")
    try place.makeProfile()
    let field = try await place.run("login", "work", "--field", "a=b")
    field.expect(2, error: "it has no request to fill")
    let flow = try await place.run("login", "work", "--flow", "passwrod")
    flow.expect(2, error: "did you mean 'password'?")
  }
}
