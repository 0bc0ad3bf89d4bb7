import AuthCore
import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

@Suite("CacheRun") struct CacheRunTests {
  private let command = ["--cache", "30s"]

  /// A place that is logged in to, and whose token is cached.
  private func filled(_ more: String = "cache = \"30s\"") async throws -> Workplace {
    let place = try await Workplace.loggedIn(more)
    #expect(try await place.run("token").status == 0)
    #expect(place.cache.names.count == 1)
    return place
  }

  @Test(
    "call, token and exec use the cache if the profile or the option asks for it: the keyring is not read",
    arguments: [
      ["call", "me"], ["call", "-p", "work", "me"], ["token"], ["token", "--header"], ["exec", "--", "true"],
    ])
  func used(words: [String]) async throws {
    for (profile, option) in [("cache = \"30s\"", []), ("", command), ("cache = \"1s\"", command)] {
      let place = try await Workplace.loggedIn(profile)
      let line = [words[0]] + option + words.dropFirst()
      let first = try await place.run(line)
      let loads = place.secrets.loads
      place.secrets.fail(.locked)
      let second = try await place.run(line)
      #expect(second.status == first.status && second.text == first.text && second.error == first.error)
      #expect(first.status == (words[0] == "exec" ? 127 : 0), "\(first.error)")
      #expect(place.secrets.loads == loads && place.cache.names.count == 1)
      place.clocks.pass(30)
      #expect(try await place.run(line).status == 4)
    }
  }

  @Test("without being asked for, or switched off by the option, nothing is cached or looked for")
  func off() async throws {
    let place = try await Workplace.loggedIn()
    for words in [["call", "me"], ["token"], ["call", "--cache", "0s", "me"]] {
      #expect(try await place.run(words).status == 0)
    }
    try place.makeProfile("work", "cache = \"30s\"")
    #expect(try await place.run("call", "--cache", "0s", "me").status == 0)
    #expect(place.cache.reads == 0 && place.cache.names.isEmpty)
    let lock = place.folder.appending(path: "s/authctl/locks/work.lock")
    #expect(try Data(contentsOf: lock).isEmpty)
  }

  @Test(
    "the other commands do not read the cache, and logout and login remove its token",
    arguments: ["status", "inspect", "doctor", "refresh", "profile show", "logout", "login"])
  func others(name: String) async throws {
    let place = try await filled()
    let reads = place.cache.reads
    let words = name.split(separator: " ").map(String.init) + ["work"]
    let outcome = try await place.run(
      words + (name == "login" ? ["--password-stdin"] : []), input: .text(Workplace.password))
    #expect(outcome.status == 0, "\(outcome.error)\(outcome.text)")
    #expect(place.cache.reads == reads)
    #expect(place.cache.names.isEmpty == ["logout", "login"].contains(name))
    place.secrets.fail(.locked)
    let isInvalid = ["refresh", "logout", "login"].contains(name)
    #expect(try await place.run("token").status == (isInvalid ? 4 : 0))
  }

  @Test("a changed profile does not get the token, whatever has changed; the option does not change it")
  func changedProfile() async throws {
    let place = try await filled()
    place.secrets.fail(.locked)
    let other = try await Workplace.loggedIn()
    for more in [
      "cache = \"31s\"", "cache = \"30s\"\nclient_id = \"other\"", "cache = \"30s\"\nissuer = \"\(other.lab.origin)\"",
      "cache = \"30s\"\nscope = [\"more\"]",
    ] {
      try place.makeProfile("work", more)
      #expect(try await place.run("token").status == 4, "\(more)")
    }
    try place.makeProfile("work", "cache = \"30s\"")
    #expect(try await place.run("token").status == 0)
    #expect(try await place.run("token", "--cache", "5m").status == 0)
  }

  @Test("-v says that the token is from the cache and how old, and for how long it is cached")
  func verbose() async throws {
    let place = try await Workplace.loggedIn("cache = \"30s\"")
    #expect(try await place.run("call", "-v", "me").error.contains(" cached for 30s"))
    place.clocks.pass(7)
    let second = try await place.run("call", "-v", "me").error
    #expect(second.contains(": cached in a quick place 7s ago; valid for another 9m 53s"), "\(second)")
    #expect(!second.contains("stored token"))
  }

  @Test("a memory without room, or none at all, is a note with -v and nothing else")
  func refusal() async throws {
    let place = try await Workplace.loggedIn("cache = \"30s\"")
    for (refusal, readsToo) in [(RescueFailure.noRoom("no room"), false), (.notAllowed("no keys"), true)] {
      place.cache.refuse(refusal, readsToo: readsToo)
      let quiet = try await place.run("call", "me")
      #expect(quiet.status == 0 && quiet.error.isEmpty, "\(quiet.error)")
      let told = try await place.run("call", "-v", "me")
      told.expect(0, error: "token not cached: \(refusal.why)")
    }
  }

  @Test("a 401 for a cached token: one refresh, one replay, and the old token is not in the cache any more")
  func refused() async throws {
    let place = try await filled()
    try await place.lab.expireAccessTokens()
    let call = try await place.run("call", "me")
    call.expect(0)
    #expect(try await place.lab.count("token.refresh_token.ok") == 1)
    let token = try #require(try place.pair().string("access_token"))
    #expect(try await place.run("token").text == token + "\n")
    #expect(place.cache.secrets.joined().contains(token))
  }

  @Test("--min-validity is respected")
  func minValidity() async throws {
    let place = try await filled()
    let loads = place.secrets.loads
    #expect(try await place.run("token", "--min-validity", "9m").status == 0)
    #expect(place.secrets.loads == loads)
    place.clocks.pass(20)
    #expect(try await place.run("token", "--min-validity", "590s").status == 0)
    #expect(try await place.lab.count("token.refresh_token.ok") == 1)
  }

  @Test("a batch and several URLs use the cached token")
  func batch() async throws {
    let place = try await filled()
    place.secrets.fail(.locked)
    let several = try await place.run("call", "me", "me", "\(place.lab.origin)/api/me")
    several.expect(0)
    let batch = try await place.run(
      ["call", "--batch", "-"], input: .text(Array(repeating: "me\n", count: 30).joined()))
    batch.expect(0)
    try place.makeProfile()
    #expect(try await place.run(["call", "--batch", "-"] + command, input: .text("me\n")).status == 4)
  }

  @Test("a simulated failure is that of the stored token", arguments: ["expired", "refused"])
  func simulated(failure: String) async throws {
    let place = try await filled()
    let reads = place.cache.reads
    let call = try await place.run("call", "--simulate", failure, "me")
    call.expect(0)
    #expect(place.cache.reads == reads)
    #expect(try await place.lab.count("token.refresh_token.ok") == 1)
    place.secrets.fail(.locked)
    #expect(try await place.run("token").status == 4)
  }

  @Test("with AUTHCTL_ACCESS_TOKEN nothing is cached or looked for")
  func givenToken() async throws {
    let place = try await Workplace.loggedIn("cache = \"30s\"")
    let outcome = try await place.run("token", environment: ["AUTHCTL_ACCESS_TOKEN": "given"])
    #expect(outcome.text == "given\n" && place.cache.reads == 0 && place.cache.names.isEmpty)
  }

  @Test(
    "a time that is too short or too long, and what can't be combined: status 2, before anything is read",
    arguments: [
      (["call", "--cache", "301s", "me"], "not a time from 1s to 5m"),
      (["token", "--cache", "6m"], "not a time from 1s to 5m"),
      (["exec", "--cache", "0.5s", "--", "true"], "not a time from 1s to 5m"),
      (["token", "--cache", "soon"], "not a valid duration"),
      (["call", "--cache", "30s", "--no-auth", "me"], "can't be combined with --no-auth"),
      (["call", "--cache", "30s", "-u", "bob", "me"], "can't be combined with --user"),
      (["call", "--cache", "30s", "--simulate", "expired", "me"], "can't be combined with --simulate"),
      (["call", "--cache", "30s", "--print-curl", "me"], "curl has no equivalent of --cache"),
    ])
  func usage(words: [String], why: String) async throws {
    let place = try await Workplace.loggedIn()
    let loads = place.secrets.loads
    let outcome = try await place.run(words)
    #expect(outcome.status == 2 && outcome.error.contains(why), "\(outcome.error)")
    #expect(place.secrets.loads == loads && place.cache.reads == 0)
  }

  @Test(
    "a profile with dpop, with a password, or with a time that is too long: status 2",
    arguments: [
      ("cache = \"30s\"\ndpop = true", ["token"], "a token that is bound to a key (dpop) is not cached"),
      ("dpop = true", ["token", "--cache", "30s"], "its token is bound to a key (dpop)"),
      ("dpop = true", ["call", "--cache", "30s", "me"], "its token is bound to a key (dpop)"),
      ("cache = \"301s\"", ["token"], "'cache' is not a time from 1s to 5m"),
      ("type = \"basic\"\ncache = \"30s\"", ["call", "me"], "is not a key of a profile of type \"basic\""),
    ])
  func profile(more: String, words: [String], why: String) async throws {
    let place = try Workplace()
    if more.hasPrefix("type") {
      try place.write("\(more)\nusername = \"alice\"\napi = [\"\(place.lab.origin)/api\"]\n")
    } else {
      try place.makeProfile("work", more)
    }
    let outcome = try await place.run(words)
    #expect(outcome.status == 2 && outcome.error.contains(why), "\(outcome.error)")
    #expect(place.secrets.loads == 0 && place.cache.reads == 0)
  }

  @Test("the option with a profile of type basic: status 2; its password is never cached")
  func basic() async throws {
    let place = try Workplace()
    try place.write("type = \"basic\"\nusername = \"alice\"\napi = [\"\(place.lab.origin)/api\"]\n")
    let outcome = try await place.run("call", "--cache", "30s", "me")
    outcome.expect(2, error: "it has a password")
  }

  @Test("login writes the time into a new profile")
  func login() async throws {
    let place = try Workplace()
    let words = place.browserLogin(["--cache", "30s", "--flow", "password", "--username", "alice", "--password-stdin"])
    let login = try await place.run(words, input: .text(Workplace.password))
    login.expect(0)
    #expect(try String(contentsOf: place.file(), encoding: .utf8).contains("cache = \"30s\""))
    #expect(try await place.run("profile", "show", "work").text.contains("30s"))
    let tooLong = try await place.run(place.browserLogin(["--cache", "6m"]))
    tooLong.expect(2)
  }

  /// A place whose profile stores nothing, and has a cache.
  private func onDemand() throws -> Workplace {
    let place = try Workplace(.none)
    let secret = try place.secretFile("svc-secret\n")
    try place.makeProfile(
      "work",
      """
      flow = "client-credentials"
      client_id = "svc"
      client_authentication = "client_secret_basic"
      client_secret_file = "\(secret)"
      store = "none"
      cache = "30s"
      """)
    return place
  }

  @Test("with store = none a storm of commands is one exchange")
  func onDemandStorm() async throws {
    let place = try onDemand()
    let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
      for number in 0..<40 {
        group.addTask { try await place.run(number % 2 == 0 ? ["call", "me"] : ["token"]).status }
      }
      return try await group.reduce(into: Set<Int32>()) { $0.insert($1) }
    }
    #expect(statuses == [0])
    #expect(try await place.lab.count("token.client_credentials.ok") == 1)
  }

  @Test(
    "with store = none, login, refresh, logout and profile remove make the token invalid",
    arguments: [["login", "work"], ["refresh", "work"], ["logout", "work"], ["profile", "remove", "work"]])
  func onDemandChange(words: [String]) async throws {
    let place = try onDemand()
    let text = try String(contentsOf: place.file(), encoding: .utf8)
    let first = try await place.run("token").text
    #expect(try await place.run("token").text == first)
    let outcome = try await place.run(words)
    outcome.expect(0)
    #expect(place.cache.names.isEmpty)
    try place.write(text)
    let second = try await place.run("token")
    #expect(second.status == 0 && second.text != first, "\(second.error)")
  }
}
