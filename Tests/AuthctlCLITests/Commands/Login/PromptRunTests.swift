import Foundation
import TestSupport
import Testing

@Suite("PromptRun") struct PromptRunTests {
  private func arguments(_ place: Workplace, _ flow: String, _ more: [String]) -> [String] {
    ["login", "work", "--flow", flow, "--issuer", place.lab.origin, "--api", place.lab.origin + "/api"] + more
  }

  @Test("a password is asked for without echo, by the names of the user and the server")
  func password() async throws {
    let place = try Workplace()
    let console = try FakeConsole(answers: [Workplace.password])
    let words = arguments(place, "password", ["--client-id", "cli", "--username", "alice"])
    let outcome = await place.run(words, at: console)
    let prompt = "Password of alice at \(place.lab.origin.dropFirst("http://".count)): "
    #expect(console.questions == [prompt] && console.hiddenQuestions == [prompt])
    #expect(outcome.status == 0 && outcome.output.isEmpty)
    #expect(
      outcome.error == """
        authctl: logged in to work, token valid for 10m, refreshes automatically
        authctl: settings written to \(place.file().path)
        Next: authctl call \(place.lab.origin)/api

        """)
    #expect(try !String(contentsOf: place.file(), encoding: .utf8).contains(Workplace.password))
  }

  @Test("a user name is asked for with echo, before the password")
  func username() async throws {
    let place = try Workplace()
    let console = try FakeConsole(answers: ["alice", Workplace.password])
    let outcome = await place.run(arguments(place, "password", ["--client-id", "cli"]), at: console)
    let server = place.lab.origin.dropFirst("http://".count)
    #expect(console.questions == ["User name at \(server): ", "Password of alice at \(server): "])
    #expect(console.hiddenQuestions.count == 1)
    outcome.expect(0)
  }

  @Test("a client secret is asked for without echo, once; the next login uses the stored one")
  func clientSecret() async throws {
    let place = try Workplace()
    let console = try FakeConsole(answers: ["svc-secret"])
    let outcome = await place.run(arguments(place, "client-credentials", ["--client-id", "svc"]), at: console)
    let prompt = "Client secret of svc at \(place.lab.origin.dropFirst("http://".count)): "
    #expect(console.questions == [prompt] && console.hiddenQuestions == [prompt])
    outcome.expect(0)
    #expect(try place.clientSecret() == "svc-secret")
    #expect(try await place.run("login", "work").status == 0)
  }

  @Test("a client that the server refuses without a secret: a terminal asks for one before the page is opened")
  func possibleSecret() async throws {
    let place = try Workplace()
    var parts = Workplace.Parts()
    parts.browser = place.browser()
    let words = arguments(place, "browser", ["--client-id", "svc"])
    let prompt = "Client secret of svc at \(place.lab.origin.dropFirst("http://".count)) (empty if none): "
    let none = try FakeConsole(answers: [""])
    let refused = await place.run(words, at: none, with: parts)
    #expect(refused.status == 6 && none.hiddenQuestions == [prompt], "\(refused.error)")
    let console = try FakeConsole(answers: ["svc-secret"])
    let outcome = await place.run(words, at: console, with: parts)
    #expect(outcome.status == 0 && console.hiddenQuestions == [prompt], "\(outcome.error)")
    #expect(try place.clientSecret() == "svc-secret")
    #expect(
      try String(contentsOf: place.file(), encoding: .utf8).contains(
        "client_authentication = \"client_secret_basic\"\n"))
    try place.waitForExpiry()
    #expect(try await place.run("call", "me").status == 0)
    let isPublic = try FakeConsole(answers: ["unused"])
    _ = await place.run(
      ["login", "public"] + arguments(place, "browser", ["--client-id", "cli"]).dropFirst(2), at: isPublic, with: parts)
    #expect(isPublic.questions.isEmpty)
  }

  @Test("with --non-interactive nothing is asked, also at a terminal: status 2, nothing is sent")
  func nonInteractive() async throws {
    let place = try Workplace()
    let console = try FakeConsole(answers: [Workplace.password])
    let words = arguments(place, "password", ["--client-id", "cli", "--username", "alice", "--non-interactive"])
    let outcome = await place.run(words, at: console)
    #expect(outcome.status == 2 && console.questions.isEmpty)
    #expect(outcome.error.contains("--password-stdin"), "\(outcome.error)")
    #expect(try await place.lab.count("token") == 0)
  }

  @Test("the fields of a custom server's request are asked for, the secret last and without echo")
  func fields() async throws {
    let place = try Workplace(kind: .nested)
    let console = try FakeConsole(answers: ["ada@x", "Ada", "hidden-word"])
    let outcome = await place.run(["login", "work", "--flow", "register"], at: console)
    let server = place.lab.origin.dropFirst("http://".count)
    #expect(console.questions == ["email at \(server): ", "name at \(server): ", "password at \(server): "])
    #expect(console.hiddenQuestions == ["password at \(server): "])
    outcome.expect(0)
    #expect(try await place.run("call", "me").json().string("email") == "ada@x")
  }

  @Test("a browser login opens the page and stores the pair that the redirect brings")
  func browser() async throws {
    let place = try Workplace()
    let outcome = try await place.run(place.browserLogin(), browser: place.browser())
    #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.error)")
    #expect(try place.pair().string("subject") == "alice")
    #expect(try await place.run("call", "me").json().string("sub") == "alice")
  }

  @Test("a browser login that is denied ends with status 6, and stores and writes nothing")
  func denial() async throws {
    let place = try Workplace()
    let outcome = try await place.run(place.browserLogin(["--timeout", "600s"]), browser: place.browser(.deny))
    outcome.expect(6, error: "denied")
    #expect(try place.stored() == nil)
    #expect(!FileManager.default.fileExists(atPath: place.file().path))
  }

  @Test("a redirect with another state does not end the wait: status 5 after --timeout")
  func changedState() async throws {
    let place = try Workplace()
    let outcome = try await place.run(place.browserLogin(["--timeout", "1s"]), browser: place.browser(.changeState))
    outcome.expect(5)
    #expect(try place.stored() == nil)
  }
}
