import Foundation
import TestSupport
import Testing

@Suite("a keyring that refuses after the refresh, end to end")
struct RescueTests {
  /// Begins a refresh, and lets the keyring go out of use before the response is sent.
  private func refresh(
    _ place: Workplace, _ command: [String], during outage: KeyringOutage, through wrapper: [String] = [],
    isKilled: Bool = false
  ) throws -> ProgramRun {
    try place.lab.expireAccessTokens()
    try place.holdRefresh()
    let run = try place.start(command, through: wrapper)
    try Waiting.until("the exchange") { try place.lab.count("token.refresh_token.ok") == 1 }
    try outage.begin(in: place.session)
    // Before the response: after it the command may end at any moment.
    if isKilled { run.send(SIGKILL) }
    try place.lab.clearFaults()
    return run
  }

  private static let commands = [["call", "me"], ["token", "--min-validity", "20m"], ["refresh", "work"]]

  @Test(
    "the new pair is kept in the kernel's memory, used at once, shown by status, and restored: one refresh, no login",
    .enabled(if: KernelMemory.isThere, "the kernel lets this process add no key"),
    arguments: KeyringOutage.allCases, RescueTests.commands)
  func keptAndPutBack(outage: KeyringOutage, command: [String]) throws {
    let place = try Workplace.loggedIn()
    let memory = KernelMemory(place)
    let before = try place.pair()
    let outcome = try refresh(place, command, during: outage).wait()
    #expect(outcome.status == (command[0] == "refresh" ? 4 : 0), "\(outcome.error)")
    #expect(outcome.text.isEmpty == (command[0] == "refresh"))
    #expect(outcome.error.contains("are kept in the kernel's memory until they can be stored"), "\(outcome.error)")
    #expect(try memory.holdsTokens())

    let status = try place.run("status", "work", "--json")
    status.expect(0, error: "kernel's memory")
    let told = try #require(try JSONObject.array(status.output).first)
    #expect(told.string("store") == "keyring" && told.string("state") == "valid")
    #expect(status.text.contains(#""rescued":true"#))
    #expect(try place.run("status", "work").text.contains("  store          the kernel's memory"))
    #expect(try place.run("status", "work", "--require", "1m").status == 4)
    let refused = try place.run("call", "me")
    refused.expect(4, error: "kernel's memory")
    #expect(refused.text.isEmpty)

    try outage.end(in: place.session)
    let restored = try place.run("status", "work", "--json")
    #expect(restored.text.contains(#""rescued":false"#))
    let after = try JSONObject.array(restored.output)[0]
    #expect(after.string("store") == "keyring" && after.string("state") == "valid")
    #expect(try !memory.holdsTokens())
    let pair = try place.pair()
    #expect(pair.string("refresh_token") != before.string("refresh_token"))
    #expect(pair.string("renewal_began") == nil)
    #expect(try place.run("call", "me").status == 0)
    #expect(try place.lab.count("token") == 1)
    // The server would end the session if the old refresh token were sent again.
    #expect(try place.run("refresh", "work").status == 0)
    #expect(try place.lab.count("token.refresh_token.ok") == 2)
  }

  @Test(
    "any command that touches the tokens puts them back or has done with them",
    .enabled(if: KernelMemory.isThere, "the kernel lets this process add no key"),
    arguments: [
      ["call", "me"], ["token"], ["refresh", "work"], ["logout", "work"], ["login", "work", "--password-stdin"],
      ["profile", "remove", "work", "--force"],
    ])
  func putBack(command: [String]) throws {
    let place = try Workplace.loggedIn()
    let memory = KernelMemory(place)
    #expect(try refresh(place, ["refresh", "work"], during: .locked).wait().status == 4)
    try KeyringOutage.locked.end(in: place.session)
    #expect(try memory.holdsTokens())
    try place.lab.reset()
    let outcome = try place.run(command, input: .text(Workplace.password))
    outcome.expect(0)
    #expect(try !memory.holdsTokens())
    switch command[0] {
    case "logout":
      #expect(try place.stored() == nil)
      #expect(try place.lab.count("revoke.ok") == 2)
    case "profile": #expect(try place.stored() == nil)
    case "login": #expect(try place.run("refresh", "work").status == 0)
    case "refresh": #expect(try place.lab.count("token.refresh_token.ok") == 1)
    default: #expect(try place.lab.count("token") == 0)
    }
  }

  @Test(
    "killed while the keyring is locked: the pair is kept all the same",
    .enabled(if: KernelMemory.isThere, "the kernel lets this process add no key"))
  func killed() throws {
    let place = try Workplace.loggedIn()
    let memory = KernelMemory(place)
    let run = try refresh(place, ["call", "me"], during: .locked, isKilled: true)
    #expect(try run.wait().status == -SIGKILL)
    try Waiting.until("the pair in the kernel's memory") { try memory.holdsTokens() }
    try KeyringOutage.locked.end(in: place.session)
    #expect(try place.run("call", "me").status == 0)
    #expect(try place.lab.count("token") == 1)
  }

  @Test(
    "a keyring that hangs just then: the pair is kept within its time, and what the keyring did late does no harm",
    .enabled(if: KernelMemory.isThere, "the kernel lets this process add no key"))
  func hanging() throws {
    let place = try Workplace.loggedIn()
    let memory = KernelMemory(place)
    let before = try place.pair()
    let keyring = try #require(place.session.keyringProcess)
    try place.lab.expireAccessTokens()
    try place.holdRefresh()
    let run = try place.start(["call", "me"])
    try Waiting.until("the exchange") { try place.lab.count("token.refresh_token.ok") == 1 }
    kill(keyring, SIGSTOP)
    defer { kill(keyring, SIGCONT) }
    try place.lab.clearFaults()
    // A keyring that is waited for without end would not let it end.
    let outcome = try run.wait()
    outcome.expect(0, error: "kernel's memory")
    #expect(try memory.holdsTokens())
    kill(keyring, SIGCONT)
    #expect(try place.run("call", "me").status == 0)
    #expect(try !memory.holdsTokens())
    #expect(try place.pair().string("refresh_token") != before.string("refresh_token"))
    #expect(try place.lab.count("token") == 1)
  }

  @Test(
    "a session that is ended meanwhile is not brought back",
    .enabled(if: KernelMemory.isThere, "the kernel lets this process add no key"))
  func ended() throws {
    let place = try Workplace.loggedIn()
    let memory = KernelMemory(place)
    #expect(try refresh(place, ["refresh", "work"], during: .locked).wait().status == 4)
    try KeyringOutage.locked.end(in: place.session)
    try place.session.run("secret-tool", ["clear", "application", "authctl", "profile", "work", "kind", "tokens"])
    let status = try JSONObject.array(place.run("status", "work", "--json").output)[0]
    #expect(status.string("state") == "logged_out")
    #expect(try place.stored() == nil)
    #expect(try !memory.holdsTokens())
  }

  @Test(
    "without keys in the kernel, storing is tried again until the keyring takes the pair", arguments: [true, false])
  func notAllowed(comesBack: Bool) throws {
    let place = try Workplace.loggedIn()
    let filter = try KernelKeyFilter()
    let before = try place.pair()
    let run = try refresh(place, ["-v", "refresh", "work"], during: .locked, through: [filter.path])
    if comesBack {
      try run.waitUntilError(contains: "retrying in")
      try KeyringOutage.locked.end(in: place.session)
      let outcome = try run.wait()
      outcome.expect(0)
      #expect(try place.pair().string("refresh_token") != before.string("refresh_token"))
      #expect(try place.run("refresh", "work").status == 0)
    } else {
      let outcome = try run.wait()
      outcome.expect(4, error: "no other place to keep them (the kernel stores no keys")
    }
  }
}
