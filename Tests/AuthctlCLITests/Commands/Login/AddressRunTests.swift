import AuthCore
import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

/// `login URL`.
@Suite("AddressRun") struct AddressRunTests {
  static func place(_ settings: String = "") async throws -> Workplace {
    let place = try Workplace()
    try await place.lab.change(#"{"resource_metadata":true\#(settings)}"#)
    return place
  }

  /// The name of the profile for a server.
  static func name(_ lab: LabServer) -> String {
    String(lab.origin.dropFirst("http://".count)).replacing(":", with: "-")
  }

  static func login(_ place: Workplace, _ url: String, _ more: [String] = []) async throws -> Outcome {
    try await place.run(["login", url, "--client-id", "cli"] + more, browser: place.browser())
  }

  static func text(_ place: Workplace) throws -> String {
    try String(contentsOf: place.file(name(place.lab)), encoding: .utf8)
  }

  @Test("an API's address is enough: what is found is said, the profile has the host's name, and call works at once")
  func api() async throws {
    let place = try await Self.place(#","required_scope":"api""#)
    let origin = place.lab.origin
    try await place.lab.change(#"{"resource_metadata_url":"\#(origin)/resource-metadata"}"#)
    let outcome = try await Self.login(place, origin + "/api")
    outcome.expect(0)
    let lines = outcome.error.split(separator: "\n").map(String.init)
    #expect(lines.first == "API          \(origin)/api".padded(to: 48) + " (from its metadata, RFC 9728)", "\(lines)")
    #expect(
      lines.dropFirst().first == "Server       \(origin)".padded(to: 48) + " (RFC 8414, OpenID Connect)", "\(lines)")
    #expect(lines.contains("Scopes       openid offline_access api"), "\(lines)")
    #expect(lines.last == "Next: authctl call \(origin)/api", "\(lines)")
    let name = Self.name(place.lab)
    #expect(
      try Self.text(place) == """
        # Created by the first login to \(name). Edit it freely: it is never rewritten.
        # Found from \(origin)/api at \(origin)/resource-metadata.
        # Further scopes of the API: openid profile email read write offline_access

        issuer = "\(origin)"
        client_id = "cli"
        scope = ["openid", "offline_access", "api"]
        api = ["\(origin)/api"]
        resource = ["\(origin)/api"]
        prompt = "consent"

        """)
    let requests = try await place.lab.lastRequests()
    #expect(requests.prefix(2).map(\.target) == ["/api", "/resource-metadata"])
    #expect(requests.count { $0.target.contains("/.well-known/") } == 2, "the metadata is fetched once")
    #expect(requests.contains { $0.target.contains("resource=http%3A%2F%2F127.0.0.1") })
    #expect(try await place.run("call", "/me").status == 0)
  }

  @Test(
    "the well-known part, a query, a fragment, a page below the API, and another slash lead to the same API",
    arguments: [
      "/api/", "/api/me?x=1#y", "/.well-known/oauth-protected-resource/api",
      "/api/.well-known/oauth-protected-resource",
    ])
  func pages(path: String) async throws {
    let place = try await Self.place()
    try await place.lab.change(#"{"resource_metadata_url":"\#(place.lab.origin)/resource-metadata"}"#)
    let outcome = try await Self.login(place, place.lab.origin + path)
    outcome.expect(0)
    #expect(try Self.text(place).contains("resource = [\"\(place.lab.origin)/api\"]\n"))
    #expect(try await place.lab.lastRequests().allSatisfy { !$0.target.contains("x=1") })
  }

  @Test("--api of another API than the metadata's: its resource is not requested, and what is used is printed")
  func otherAPI() async throws {
    let place = try await Self.place(#","resource_path":"/o""#)
    let origin = place.lab.origin
    // As django-oauth-toolkit: a token for another resource is refused.
    try await place.lab.change(#"{"required_audience":"\#(origin)/api"}"#)
    let outcome = try await Self.login(place, origin + "/o", ["--api", origin + "/api"])
    outcome.expect(0)
    let line = "API          \(origin)/api".padded(to: 48) + " (given; the metadata is for \(origin)/o)\n"
    #expect(outcome.error.contains(line), "\(outcome.error)")
    #expect(try !Self.text(place).contains("\nresource = ") && Self.text(place).contains("api = [\"\(origin)/api\"]\n"))
    #expect(try await place.lab.lastRequests().allSatisfy { !$0.target.contains("resource=") })
    #expect(try await place.run("call", "me").status == 0)
    let given = try await Self.login(
      place, origin + "/o", ["-p", "given", "--api", origin + "/api", "--resource", origin + "/api"])
    #expect(given.status == 0 && given.error.contains("Resource     \(origin)/api".padded(to: 48) + " (given)\n"))
  }

  @Test("--api below the metadata's resource, or the typed address itself: the resource is requested, and printed")
  func ownAPI() async throws {
    let place = try await Self.place()
    let origin = place.lab.origin
    let resource = "Resource     \(origin)/api".padded(to: 48) + " (from its metadata, RFC 9728)\n"
    let below = try await Self.login(place, origin + "/api", ["--api", origin + "/api/v2"])
    #expect(below.status == 0 && below.error.contains(resource), "\(below.error)")
    #expect(below.error.contains("API          \(origin)/api/v2".padded(to: 48) + " (given)\n"), "\(below.error)")
    let hint = #""resource_metadata_url":"\#(origin)/resource-metadata""#
    try await place.lab.change(#"{"resource_path":"/api/v1",\#(hint)}"#)
    let same = try await Self.login(place, origin + "/api", ["-p", "same", "--api", origin + "/api"])
    #expect(same.error.contains("Resource     \(origin)/api/v1"), "\(same.error)")
  }

  @Test("an API whose URL is longer than the typed one is said to be")
  func longer() async throws {
    let place = try await Self.place()
    try await place.lab.change(#"{"resource_metadata_url":"\#(place.lab.origin)/resource-metadata"}"#)
    // The challenge comes from the path of the API.
    try await place.lab.fail(#"{"endpoint":"unknown","kind":"always401"}"#)
    try await place.lab.change(#"{"resource_path":"/api/v1"}"#)
    let outcome = try await Self.login(place, place.lab.origin + "/api")
    outcome.expect(0, error: "(longer than the given address; from its metadata, RFC 9728)")
    #expect(try Self.text(place).contains("api = [\"\(place.lab.origin)/api/v1\"]\n"))
  }

  @Test(
    "an issuer's address, or a page below it, logs in, warns that there is no API, and names --api",
    arguments: ["/tenant", "/tenant/", "/tenant/.well-known/openid-configuration", "/tenant/account/security"])
  func issuer(path: String) async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"issuer_path":"/tenant"}"#)
    let outcome = try await Self.login(place, place.lab.origin + path)
    outcome.expect(0)
    #expect(outcome.error.contains("warning: no api is set") && outcome.error.contains("--api URL"), "\(outcome.error)")
    let name = Self.name(place.lab) + "-server"
    let text = try String(contentsOf: place.file(name), encoding: .utf8)
    #expect(text.contains("issuer = \"\(place.lab.origin)/tenant\"\n"), "\(text)")
    #expect(text.contains("scope = [\"openid\", \"offline_access\"]\n") && !text.contains("\napi"), "\(text)")
    let api = try await Self.login(place, place.lab.origin + path, ["-p", "api", "--api", place.lab.origin + "/api"])
    api.expect(0)
    #expect(try await place.run("call", "-p", "api", "me").status == 0)
    let again = try await Self.login(place, place.lab.origin + "/tenant/other/page", ["-p", name])
    again.expect(2)
  }

  @Test("the API's identifier is requested exactly as its metadata has it, with a slash (RFC 8707, section 2)")
  func exactResource() async throws {
    let place = try await Self.place(#","resource_path":"/api/""#)
    let outcome = try await Self.login(place, place.lab.origin + "/api/")
    outcome.expect(0)
    #expect(try Self.text(place).contains("resource = [\"\(place.lab.origin)/api/\"]\n"))
    let requests = try await place.lab.lastRequests()
    for text in [
      requests.first { $0.target.hasPrefix("/authorize?") }?.target, requests.first { $0.target == "/token" }?.form,
    ] {
      #expect(try #require(text).contains(/[?&]resource=http[^&]*%2Fapi%2F(&|$)/), "\(text ?? "")")
    }
  }

  @Test(
    "openid is asked for if OpenID Connect is found or the server lists it, offline_access only if the server lists it",
    arguments: [
      (#""scopes":["api"],"openid_discovery":false"#, "api", "RFC 8414"),
      (#""scopes":["openid","api"],"openid_discovery":false"#, "openid api", "RFC 8414"),
      (#""discovery_members":"{\"scopes_supported\":null}""#, "openid api", "RFC 8414, OpenID Connect"),
    ])
  func scopes(settings: String, scopes: String, found: String) async throws {
    let place = try await Self.place(#","required_scope":"api",\#(settings)"#)
    try await place.lab.change(#"{"resource_metadata_url":"\#(place.lab.origin)/resource-metadata"}"#)
    let outcome = try await Self.login(place, place.lab.origin + "/api")
    outcome.expect(0, error: "Scopes       \(scopes)\n", "(\(found))\n")
  }

  @Test("a second login with a URL finds the profile: by its API, a page below or above, or its issuer")
  func second() async throws {
    let place = try await Self.place()
    let origin = place.lab.origin
    #expect(try await Self.login(place, origin + "/api").status == 0)
    try await place.lab.reset()
    for path in ["/api", "/api/", "/api/me", "", "/"] {
      let outcome = try await place.run(["login", origin + path], browser: place.browser())
      #expect(outcome.status == 0, "\(path): \(outcome.error)")
      #expect(outcome.error.hasPrefix("Profile      \(Self.name(place.lab))"), "\(path): \(outcome.error)")
    }
    let targets = try await place.lab.lastRequests().map(\.target)
    #expect(!targets.contains("/api") && !targets.contains { $0.contains("oauth-protected-resource") })
  }

  @Test("a profile of another type is used as it is")
  func otherType() async throws {
    let place = try Workplace()
    try place.write("type = \"basic\"\nusername = \"alice\"\napi = [\"\(place.lab.origin)/kind2\"]\n", as: "basic")
    let outcome = try await place.run(
      ["login", place.lab.origin + "/kind2/basic", "--password-stdin"], input: .text(Workplace.password))
    outcome.expect(0)
    #expect(try place.stored("basic", kind: "password") != nil)
  }

  @Test("another account at the same server: -p NAME; then the profiles are named, and -p chooses")
  func several() async throws {
    let place = try await Self.place()
    let url = place.lab.origin + "/api"
    #expect(try await Self.login(place, url).status == 0)
    let second = try await Self.login(place, url, ["-p", "second"])
    second.expect(0)
    #expect(second.error.hasSuffix("Next: authctl call -p second \(url)\n"), "\(second.error)")
    let name = Self.name(place.lab)
    let undecided = try await place.run("login", url)
    #expect(undecided.status == 2)
    #expect(undecided.error.contains("more than one profile matches: \(name), second"), "\(undecided.error)")
    #expect(undecided.error.contains("authctl login \(url) -p \(name)\n"), "\(undecided.error)")
    #expect(try await place.run(["login", url, "-p", "second"], browser: place.browser()).status == 0)
  }

  @Test("a name that a profile of another server has, and a host that is no name: status 2, and -p NAME")
  func taken() async throws {
    let place = try await Self.place()
    let name = Self.name(place.lab)
    try place.makeProfile(name, "issuer = \"https://id.example\"\napi = [\"https://api.example\"]")
    let url = place.lab.origin + "/api"
    let outcome = try await Self.login(place, url)
    #expect(outcome.status == 2)
    #expect(outcome.error.contains("profile \(name): it exists already, for https://api.example"), "\(outcome.error)")
    #expect(outcome.error.contains("authctl login \(url) -p NAME\n"), "\(outcome.error)")
    #expect(try await Self.login(place, url, ["-p", "other"]).status == 0)
    let long = "https://" + String(repeating: "a", count: 60) + ".example"
    let tooLong = try await place.run("login", long)
    tooLong.expect(2, error: "authctl login \(long) -p NAME\n")
  }

  @Test(
    "the profile's name is the host, with a port that is not the default, and - for the colons of IPv6",
    arguments: [
      ("https://API.Example.com/v1", "api.example.com"), ("https://api.example.com:443", "api.example.com"),
      ("https://api.example.com:8443", "api.example.com-8443"), ("http://localhost:8000/mcp", "localhost-8000"),
      ("https://[2001:db8::1]/x", "2001-db8--1"), ("http://[::1]:8000", "1-8000"), ("http://127.0.0.1", "127.0.0.1"),
    ])
  func names(url: String, name: String) throws {
    #expect(try LoginAddress(url, as: "login").profileName().string == name)
  }

  @Test("of several servers the first is used and said; at a terminal they are offered, and Enter means the first")
  func servers() async throws {
    let place = try await Self.place()
    let origin = place.lab.origin
    let servers = #"{\"authorization_servers\":[\"\#(origin)\",\"https://other.example\"]}"#
    try await place.lab.change(#"{"resource_members":"\#(servers)"}"#)
    let outcome = try await Self.login(place, origin + "/api")
    outcome.expect(0)
    #expect(
      outcome.error.contains("Servers      \(origin), https://other.example (the first is used; see --issuer"),
      "\(outcome.error)")
    for (answer, name, status) in [("", "a", 0), ("1", "b", 0), ("2", "c", 5), ("3", "d", 2)]
      as [(String, String, Int32)]
    {
      var parts = Workplace.Parts()
      parts.browser = place.browser()
      let console = try FakeConsole(isTerminal: true, answers: [answer], isOutputTerminal: true)
      let asked = await place.run(
        ["login", origin + "/api", "-p", name, "--client-id", "cli"], at: console, with: parts)
      #expect(asked.status == status, "\(answer): \(asked.error)")
      #expect(console.questions.first == "Server [1]: ")
      #expect(asked.error.contains("  2  https://other.example\n"), "\(asked.error)")
      if status == 0 { #expect(asked.error.contains("m✓ logged in to \(name)"), "\(asked.error)") }
      if status == 5 { #expect(asked.error.contains("authctl login \(origin)/api --issuer \(origin) -p c\n")) }
    }
  }

  @Test("one of several servers can be given, with another slash; one that the API does not name is refused")
  func givenServer() async throws {
    let place = try await Self.place()
    let origin = place.lab.origin
    let servers = #"{\"authorization_servers\":[\"https://other.example\",\"\#(origin)\"]}"#
    try await place.lab.change(#"{"resource_members":"\#(servers)"}"#)
    let broken = try await Self.login(place, origin + "/api")
    broken.expect(5, error: "--issuer \(origin)\n")
    let wrong = try await Self.login(place, origin + "/api", ["--issuer", "https://third.example"])
    wrong.expect(2, error: "accepts tokens from another server: https://other.example, \(origin)")
    let right = try await Self.login(place, origin + "/api", ["--issuer", origin + "/"])
    right.expect(0)
    #expect(try Self.text(place).contains("issuer = \"\(origin)\"\n"))
  }

  @Test("an API without metadata: its server is given, with whatever slash; no resource is sent")
  func givenIssuer() async throws {
    let place = try Workplace()
    let outcome = try await Self.login(place, place.lab.origin + "/api", ["--issuer", place.lab.origin + "/"])
    outcome.expect(0)
    let text = try Self.text(place)
    #expect(text.contains("issuer = \"\(place.lab.origin)\"\n") && text.contains("api = [\"\(place.lab.origin)/api\"]"))
    #expect(!text.contains("resource"))
    #expect(try await place.run("call", "me").status == 0)
  }

  @Test("a server whose name looks like another one is shown in ASCII")
  func lookalike() async throws {
    let place = try Workplace()
    let name = "https://\u{430}pple.test"
    let lab = try place.otherLab(["--origin", "https://xn--pple-43d.test"])
    try await lab.change(#"{"announced_issuer":"\#(name)"}"#)
    for answers in [[String](), ["cli"]] {
      let console = try FakeConsole(answers: answers)
      let outcome = await place.run(["login", name, "--timeout", "1s"], at: console)
      #expect(outcome.error.contains("Server       https://xn--pple-43d.test "), "\(outcome.error)")
      #expect(!(outcome.error + console.questions.joined()).contains("\u{430}"), "\(outcome.error)")
    }
    let servers = #"{\"authorization_servers\":[\"\#(name)\",\"https://other.example\"]}"#
    try await place.lab.change(#"{"resource_metadata":true,"resource_members":"\#(servers)"}"#)
    let several = await place.run(
      ["login", place.lab.origin + "/api", "--timeout", "1s"], at: try FakeConsole(answers: ["1", "cli"]))
    #expect(several.error.contains("  1  https://xn--pple-43d.test\n"), "\(several.error)")
  }

  @Test("a token for another API than the one asked for: a warning with both values")
  func audience() async throws {
    let place = try await Self.place()
    let token = jwt(#"{"aud":["https://a.example"],"sub":"alice"}"#)
    try await place.lab.fail(
      #"{"endpoint":"token","kind":"status","status":200,"body":"{\"access_token\":\"\#(token)\",\"token_type\":\"Bearer\"}"}"#
    )
    let outcome = try await Self.login(place, place.lab.origin + "/api", ["--scope", "api"])
    outcome.expect(0)
    #expect(
      outcome.error.contains("the access token is for https://a.example (aud), not for \(place.lab.origin)/api: "),
      "\(outcome.error)")
    #expect(outcome.error.contains("no refresh token: the login did not request offline_access"), "\(outcome.error)")
  }

  @Test("no refresh token although offline_access was asked for: a warning with the reason")
  func noRefreshToken() async throws {
    let place = try await Self.place()
    let grant = { (scope: String) in
      #"{"endpoint":"token","kind":"status","status":200,"count":1,"#
        + #""body":"{\"access_token\":\"A\",\"token_type\":\"Bearer\",\"scope\":\"\#(scope)\"}"}"#
    }
    try await place.lab.fail(grant("api"))
    let scope = ["--scope", "api", "--scope", "offline_access"]
    let denied = try await Self.login(place, place.lab.origin + "/api", scope)
    #expect(
      denied.error.contains("warning: no refresh token: the server did not grant offline_access"), "\(denied.error)")
    #expect(denied.error.contains("authctl profile edit \(Self.name(place.lab)), and set authorization = "))
    try await place.lab.fail(grant("api offline_access"))
    let silent = try await Self.login(place, place.lab.origin + "/api", ["-p", "b"] + scope)
    #expect(silent.error.contains("issued none, although offline_access was requested"), "\(silent.error)")
  }

  private func jwt(_ payload: String) -> String {
    [#"{"alg":"none"}"#, payload].map { Data($0.utf8).base64EncodedString().replacing("=", with: "") }
      .joined(separator: ".") + ".x"
  }
}
