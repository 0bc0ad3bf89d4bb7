import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AuthctlCLI

/// A browser on another machine, whose last address the user brings to the login.
@Suite("AddressPromptRun") struct AddressPromptRunTests {
  private static let ssh = ["SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"]
  private static let hint = "or paste the address that the browser shows at the end, and press Enter (it is not shown):"

  /// Runs a browser login whose browser is on another machine; `bring` gets the address at which it ends.
  private func run(
    _ place: Workplace, _ more: [String] = [], at console: FakeConsole, environment: [String: String] = ssh,
    _ action: FakeBrowser.Action = .approve, bring: @escaping @Sendable (String) async throws -> Void
  ) async -> Outcome {
    var browser = place.browser(action)
    browser.onEnd = bring
    return await place.run(
      place.browserLogin(["--timeout", "600s"] + more), at: console, environment: environment,
      with: .init(browser: browser))
  }

  /// The value of a field of an address.
  private static func field(_ name: String, of address: String) throws -> String {
    try #require(URLComponents(string: address)?.queryItems?.first { $0.name == name }?.value)
  }

  @Test("over SSH, the address that is pasted ends the login; nothing shows it or keeps it")
  func pasted() async throws {
    let place = try Workplace()
    let console = try FakeConsole(isTerminal: true, isOutputTerminal: true)
    let code = Mutex("")
    let port = Mutex("")
    let trace = place.folder.appending(path: "t.jsonl").path
    let outcome = await run(place, ["-vv", "--trace", trace], at: console) { address in
      code.withLock { $0 = (try? Self.field("code", of: address)) ?? "" }
      port.withLock { $0 = "\(URLComponents(string: address)?.port ?? 0)" }
      console.type("\n \(address)#_=_ \n")
    }
    outcome.expect(0)
    #expect(try place.pair().string("subject") == "alice")
    #expect(console.echoChanges == [false, true])
    let line = port.withLock { "  ssh -N -L \($0):127.0.0.1:\($0) USER@HOST\n" }
    #expect(outcome.error.contains(line) && outcome.error.contains(Self.hint + "\n"), "\(outcome.error)")
    let secret = code.withLock(\.self)
    #expect(!secret.isEmpty && !outcome.error.contains(secret))
    #expect(!(try String(contentsOfFile: trace, encoding: .utf8)).contains(secret))
    #expect(!console.statuses.contains { $0?.contains(secret) == true })
  }

  @Test("a part of the address, another address and that of another login are refused, and asked for again")
  func refused() async throws {
    let place = try Workplace()
    let console = try FakeConsole(isTerminal: true)
    let outcome = await run(place, at: console) { address in
      let (code, state) = (try Self.field("code", of: address), try Self.field("state", of: address))
      for (text, message) in [
        (code, "this is not the whole address, which begins with http://127.0.0.1:"),
        (address.replacing("/callback?", with: "/other?"), "this is not the whole address"),
        (address.replacing("127.0.0.1", with: "127.0.0.1.evil.example"), "this is not the whole address"),
        (address.replacing(state, with: "other"), "ignored a response that belongs to another login"),
        (address.replacing("state=\(state)", with: "x=y"), "ignored a response without state"),
        (String(address.prefix { $0 != "?" }) + "?x=y", "without a code or an error"),
        (String(repeating: "x", count: 4095), "the terminal cuts a line after 4095 characters"),
      ] {
        let before = console.error.components(separatedBy: message).count
        console.type(text + "\n")
        try await place.wait(for: message) { console.error.components(separatedBy: message).count > before }
      }
      // The made-up code that asks about the client.
      #expect(try await place.lab.count("token.authorization_code") == 1)
      console.type(address + "\n")
    }
    outcome.expect(0)
    #expect(try await place.lab.count("token.authorization_code") == 2)
    #expect(try await place.lab.count("token.authorization_code.ok") == 1)
  }

  @Test("what the listener refuses is refused here, too: a server's wrong iss, a code twice, a denial: status 6")
  func sameCheck() async throws {
    for (action, oddity, why) in [
      (.approve, "wrong-iss", "another server"), (.repeatCode, "none", "code twice"), (.deny, "none", "denied"),
    ] as [(FakeBrowser.Action, String, String)] {
      let place = try Workplace()
      try await place.lab.change(#"{"authorization_oddity":"\#(oddity)"}"#)
      let console = try FakeConsole(isTerminal: true)
      let outcome = await run(place, at: console, action) { console.type($0 + "\n") }
      #expect(outcome.status == 6 && outcome.error.contains(why), "\(outcome.error)")
      // The made-up code that asks about the client.
      #expect(try await place.lab.count("token.authorization_code") == 1)
    }
  }

  @Test("the first that comes wins: a browser that arrives at the listener ends the wait for the address")
  func listener() async throws {
    let place = try Workplace()
    let console = try FakeConsole(isTerminal: true)
    let outcome = await run(place, at: console) { address in
      let parts = try #require(URLComponents(string: address))
      let target = parts.percentEncodedPath + "?" + (parts.percentEncodedQuery ?? "")
      #expect(try await FakeBrowser.get(target, port: UInt16(parts.port ?? 0)).status == 200)
    }
    outcome.expect(0)
    #expect(console.echoChanges == [false, true])
  }

  @Test("it is offered with --no-browser and after a browser that could not be started, not beside one that was")
  func offered() async throws {
    for (isAvailable, starts, more) in [
      (false, false, ["--flow", "browser"]), (true, false, []), (true, false, ["--no-browser"]),
    ]
      as [(Bool, Bool, [String])]
    {
      let place = try Workplace()
      let console = try FakeConsole(isTerminal: true)
      var browser = FakeBrowser(server: place.lab)
      browser.isAvailable = isAvailable
      browser.onEnd = { console.type($0 + "\n") }
      let failing = NotingBrowser { _ in starts }
      let person = Task { [browser] in
        try await place.wait(for: "the offer") { console.error.contains(Self.hint) }
        let address = try #require(
          console.error.split(whereSeparator: \.isWhitespace).first { $0.contains("/authorize?") })
        return await browser.open(String(address))
      }
      let outcome = await place.run(
        place.browserLogin(["--timeout", "600s"] + more), at: console,
        with: .init(browser: isAvailable ? failing : browser))
      outcome.expect(0)
      #expect(try await person.value)
    }
    let place = try Workplace()
    let console = try FakeConsole(isTerminal: true)
    let local = await place.run(place.browserLogin(), at: console, with: .init(browser: place.browser()))
    #expect(local.status == 0 && !local.error.contains("ssh -N"), "\(local.error)")
    #expect(console.echoChanges.isEmpty)
  }

  @Test("without a terminal nothing is read, but with --complete standard input is")
  func complete() async throws {
    let place = try Workplace()
    let console = try FakeConsole()
    let outcome = await run(place, ["--complete"], at: console, environment: [:]) { console.type($0 + "\n") }
    outcome.expect(0)
    #expect(
      outcome.error.contains("or write the address that the browser shows at the end to standard input.\n"),
      "\(outcome.error)")
    let silent = try FakeConsole()
    let other = await run(place, at: silent) { address in
      silent.type(address + "\n")
      let parts = try #require(URLComponents(string: address))
      let target = parts.percentEncodedPath + "?" + (parts.percentEncodedQuery ?? "")
      #expect(try await FakeBrowser.get(target, port: UInt16(parts.port ?? 0)).status == 200)
    }
    #expect(other.status == 0 && !other.error.contains("standard input"), "\(other.error)")
    #expect(silent.takeInput()?.isEmpty == false, "it was not read")
  }

  @Test("--complete beside another use of standard input, or in a flow without a browser: status 2")
  func contradictions() async throws {
    let place = try Workplace()
    try place.makeProfile()
    for (words, why) in [
      (["login", "work", "--complete", "--password-stdin"], "already used for --password-stdin"),
      (["login", "work", "--complete", "--field", "x=@-"], "standard input is already used"),
      (["login", "work", "--complete"], "does not end in a browser"),
    ] {
      let outcome = try await place.run(words)
      #expect(outcome.status == 2 && outcome.error.contains(why), "\(outcome.error)")
    }
    #expect(try await place.lab.lastRequests().isEmpty)
  }
}
