import Foundation
import TestSupport
import Testing

@Suite("ProfileRun") struct ProfileRunTests {
  @Test("without a command below it: its short help on standard error, status 2")
  func family() async throws {
    let place = try Workplace(.none)
    let outcome = try await place.run("profile")
    #expect(outcome.status == 2)
    #expect(outcome.text.isEmpty && outcome.error.contains("Usage: authctl profile [OPTIONS] COMMAND"))
    #expect(try await place.run("profile", "--help").text.contains("\nCOMMANDS\n"))
    #expect(try await place.run("profile", "edit", "-h").text.contains("authctl profile edit [OPTIONS] PROFILE"))
    let slip = try await place.run("profile", "lst")
    slip.expect(2, error: "did you mean 'profile list'?")
  }

  @Test("list prints a line per profile, or an array; an unreadable one is reported and hides no other: status 2")
  func list() async throws {
    let place = try Workplace(.none)
    #expect(try await place.run("profile", "list").status == 0)
    try place.makeProfile("work", "default = true")
    try place.makeProfile("other")
    #expect(
      try await place.run("profile", "list").text == """
        other  oauth2  unavailable  \(place.lab.origin)
        work   oauth2  unavailable  \(place.lab.origin)  (default)

        """)
    let objects = try await JSONObject.array(place.run("profile", "list", "--json").output)
    #expect(objects.map { $0.string("profile") } == ["other", "work"])
    #expect(
      objects[0].keys == [
        "api", "base", "client_id", "default", "file", "flow", "issuer", "profile", "state", "type",
      ])
    #expect(objects[1].string("file") == place.file("work").path && objects[1].string("client_id") == "cli")
    try Data("nonsense = 1\n".utf8).write(to: place.file("broken"))
    let outcome = try await place.run("profile", "list", "--json")
    #expect(outcome.status == 2)
    #expect(try outcome.errorJSON().string("profile") == "broken")
    #expect(try JSONObject.array(outcome.output).count == 2)
  }

  @Test("path prints the file's path, there or not, and the folder's without a name")
  func path() async throws {
    let place = try Workplace(.none)
    #expect(try await place.run("profile", "path", "new").text == place.file("new").path + "\n")
    #expect(try await place.run("profile", "path", "-p", "new").text == place.file("new").path + "\n")
    #expect(try await place.run("profile", "path").text == place.configuration.appending(path: "profiles").path + "\n")
    #expect(try await place.run("profile", "path", "../x").status == 2)
    #expect(try await place.run("profile", "path", "new", "-p", "old").status == 2)
  }

  @Test("show says of each setting whether the file, the server or the default says it")
  func sources() async throws {
    let place = try Workplace(.none)
    try place.makeProfile("work", tables: "[endpoints]\nrevocation = \"\(place.lab.origin)/end\"\n")
    try await place.lab.change(#"{"oauth_discovery_omits":["token_endpoint"],"openid_discovery_omits":["jwks_uri"]}"#)
    let outcome = try await place.run("profile", "show", "work", "--json")
    outcome.expect(0)
    let shown = try outcome.json()
    let (settings, endpoints) = (try shown.object("settings"), try shown.object("endpoints"))
    #expect(try settings.object("client_id").string("value") == "cli")
    #expect(try settings.object("client_id").string("from") == "file")
    #expect(try settings.object("client_id").integer("line") == 4)
    #expect(try settings.object("refresh_before").string("value") == "60s")
    #expect(try settings.object("refresh_before").string("from") == "default")
    #expect(try endpoints.object("revocation").string("from") == "file")
    #expect(try endpoints.object("authorization").string("document")?.hasSuffix("/oauth-authorization-server") == true)
    #expect(try endpoints.object("token").string("document")?.hasSuffix("/openid-configuration") == true)
    #expect(try endpoints.object("jwks").string("value") == place.lab.origin + "/jwks")
    let text = try await place.run("profile", "show", "work").text
    #expect(text.contains("line 4\n") && text.contains("  OpenID Connect\n"), "\(text)")
  }

  @Test("list has a header on a terminal, and the state of each session")
  func states() async throws {
    let place = try await Workplace.loggedIn()
    try place.makeProfile("other")
    let outcome = await place.run(
      ["profile", "list"], at: try FakeConsole(isOutputTerminal: true), environment: ["NO_COLOR": "1"])
    #expect(
      outcome.text == """
        PROFILE  TYPE    STATE       SERVER
        other    oauth2  logged out  \(place.lab.origin)
        work     oauth2  valid       \(place.lab.origin)

        """)
    let coloured = await place.run(
      ["profile", "list"], at: try FakeConsole(isOutputTerminal: true), environment: ["TERM": "xterm"])
    #expect(coloured.text.hasPrefix("\u{1B}[1mPROFILE "))
  }

  @Test("show folds the defaults into one line; --all and --json show them")
  func defaults() async throws {
    let place = try Workplace(.none)
    try place.makeProfile()
    let text = try await place.run("profile", "show", "--offline").text
    let count = try #require(text.firstMatch(of: /\n  and ([0-9]+) defaults: --all shows them\n/)).1
    #expect(!text.contains("refresh_before") && !text.contains("  default\n"), "\(text)")
    let all = try await place.run("profile", "show", "--offline", "--all").text
    #expect(all.matches(of: /\ \ default\n/).count == Int(count) && all.contains("  refresh_before"), "\(all)")
  }

  @Test("show wraps no column: a long value goes on in its own, on a terminal only", arguments: [80, 120])
  func columns(width: Int) async throws {
    let place = try Workplace(.none)
    let scopes = (1...12).map { "\"scope-number-\($0)\"" }.joined(separator: ", ")
    try place.makeProfile(
      "work", "scope = [\(scopes)]\naudience = \"https://a.example/\(String(repeating: "x", count: 200))\"")
    let outcome = await place.run(
      ["profile", "show"], at: try FakeConsole(isOutputTerminal: true, width: width), environment: ["TERM": "xterm"])
    #expect(outcome.text.contains("\u{1B}[1msettings\u{1B}[0m\n"), "\(outcome.text)")
    let settings = outcome.text.split(separator: "\n").drop { !$0.contains("settings") }.prefix {
      !$0.contains("endpoints")
    }
    #expect(settings.count > 12 && settings.dropFirst().allSatisfy { $0.count <= width }, "\(outcome.text)")
    let piped = try await place.run("profile", "show").text
    #expect(piped.contains(scopes), "\(piped)")
  }

  @Test("show redacts a secret in a request, also one in a table of a list")
  func nestedSecrets() async throws {
    let place = try Workplace(.none)
    try place.write(
      """
      type = "custom"
      base = "\(place.lab.origin)"
      api = ["\(place.lab.origin)/api"]

      [requests.login]
      url = "/login"
      json = { user = "{username}", apps = [{ name = "shop", password = "plain-1" }], client_secret = "plain-2" }

      [response]
      access_token = "/token"
      """, as: "work")
    for words in [["profile", "show", "--offline"], ["profile", "show", "--offline", "--json"]] {
      let text = try await place.run(words).text
      #expect(text.contains("shop") && text.contains("{username}"), "\(text)")
      #expect(!text.contains("plain-"), "\(text)")
    }
  }

  @Test("show has one line for an array of tables, that of its first header")
  func arrayOfTables() async throws {
    let place = try Workplace(.none)
    try place.write(
      """
      type = "custom"
      base = "\(place.lab.origin)"
      api = ["\(place.lab.origin)/api"]
      [requests.login]
      url = "/login"
      [[requests.login.json.apps]]
      name = "shop"
      [[requests.login.json.apps]]
      name = "mail"
      [response]
      access_token = "/token"
      """, as: "work")
    let text = try await place.run("profile", "show", "--offline").text
    let lines = text.split(separator: "\n").filter { $0.contains("requests.login.json.apps") }
    #expect(lines.count == 1 && lines[0].hasSuffix("line 6") && lines[0].contains("mail"), "\(text)")
    let shown = try await place.run("profile", "show", "--offline", "--json").json()
    #expect(try shown.object("settings").object("requests.login.json.apps").integer("line") == 6)
  }

  @Test("show --offline sends nothing")
  func offline() async throws {
    let place = try Workplace(.none)
    try place.makeProfile()
    try await place.lab.reset()
    let outcome = try await place.run("profile", "show", "work", "--offline", "--json")
    #expect(outcome.status == 0)
    #expect(try outcome.json().isNull("discovery"))
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  @Test(
    "show reports what is missing: status 2, 5 if the server can't be reached, 6 if it has no usable metadata",
    arguments: [
      (
        #"{"oauth_discovery_omits":["token_endpoint"],"openid_discovery_omits":["token_endpoint"]}"#, 2,
        "endpoints.token"
      ),
      (#"{"announced_issuer":"https://other.example"}"#, 6, "discovery"),
      (#"{"oauth_discovery":false,"openid_discovery":false}"#, 6, "discovery"),
    ])
  func missing(settings: String, status: Int32, about: String) async throws {
    let place = try Workplace(.none)
    try place.makeProfile()
    try await place.lab.change(settings)
    let outcome = try await place.run("profile", "show", "--json")
    #expect(outcome.status == status, "\(outcome.text)")
    #expect(try findings(outcome, level: "error") == [about])
    place.lab.stop()
    let unreachable = try await place.run("profile", "show", "--json")
    #expect(unreachable.status == 5, "\(unreachable.text)")
  }

  @Test("show warns of unsafe settings, and shows no secret that is in the file")
  func warnings() async throws {
    let place = try Workplace(.none)
    let tables = """
      [parameters]
      token = { api_secret = "s3cret-1" }
      [network]
      proxy = "http://alice:s3cret-2@127.0.0.1:1"
      cacert = "/nonexistent.pem"
      """
    try place.makeProfile("work", "client_authentication = \"client_secret_post\"", tables: tables)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: place.file().path)
    let outcome = try await place.run("profile", "show", "work", "--offline", "--json")
    #expect(outcome.status == 2)
    #expect(!outcome.text.contains("s3cret"), "\(outcome.text)")
    #expect(try findings(outcome, level: "error") == ["network.cacert"])
    #expect(
      Set(try findings(outcome, level: "warning")) == [
        "file", "parameters.token.api_secret", "flow", "issuer", "api",
      ])
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: place.file().path)
    let open = try await place.run("profile", "show", "--offline")
    #expect(open.status == 2 && open.output.isEmpty)
    #expect(open.error.contains("chmod go-w \(place.file().path)") && !open.error.contains("s3cret"), "\(open.error)")
  }

  @Test("show begins with the settings of the file and ends with what is checked: a problem of several keys once")
  func order() async throws {
    let place = try Workplace(.none)
    try place.makeProfile()
    let text = try await place.run("profile", "show", "--offline").text
    let lines = text.split(separator: "\n")
    #expect(lines.prefix(2) == ["work: \(place.file().path)", "settings"] && lines[2].hasSuffix("  line 1"), "\(text)")
    #expect(
      lines.drop { $0 != "checks" } == [
        "checks",
        "  warning: file: other users can read it", "    chmod 600 \(place.file().path)",
        "  warning: flow: password gives the client the user's password (RFC 9700, section 2.4)",
        "    use browser or device if the server supports them",
        "  warning: issuer, api: plain http (loopback only)", "    do not use in production",
      ], "\(text)")
  }

  @Test(
    "show names the scopes that the server does not list",
    arguments: [
      (#"["api", "files:read", "admin x"]"#, #"["api", "openid", "x"]"#, "does not list files:read, admin\n"),
      (#"["api"]"#, #"["api"]"#, nil), (#"["api"]"#, "[]", nil), (#"["api"]"#, "null", nil),
    ] as [(String, String, String?)])
  func unlistedScopes(requested: String, listed: String, expected: String?) async throws {
    let place = try Workplace(.none)
    try place.makeProfile("work", "scope = \(requested)")
    let members = #"{"scopes_supported":\#(listed)}"#.replacing(#"""#, with: #"\""#)
    try await place.lab.change(#"{"discovery_members":"\#(members)"}"#)
    let outcome = try await place.run("profile", "show")
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("  warning: scope: the server does not list") == (expected != nil), "\(outcome.text)")
    if let expected { #expect(outcome.text.contains(expected), "\(outcome.text)") }
  }

  @Test("remove takes the file of a profile not logged in to, also one that can't be read")
  func remove() async throws {
    let place = try Workplace()
    try place.makeProfile()
    try Data("nonsense".utf8).write(to: place.file("broken"))
    #expect(try await place.run("profile", "remove", "work").status == 0)
    #expect(try await place.run("profile", "remove", "broken").status == 0)
    #expect(!FileManager.default.fileExists(atPath: place.file().path))
    #expect(!FileManager.default.fileExists(atPath: place.file("broken").path))
    let absent = try await place.run("profile", "remove", "work")
    #expect(absent.status == 2 && absent.error.contains("no such profile"))
  }

  @Test(
    "remove removes nothing if the keyring cannot report whether the profile is logged in: status 4, --force or not")
  func removeBlindly() async throws {
    let place = try Workplace(.none)
    try place.makeProfile()
    #expect(try await place.run("profile", "remove", "work").status == 4)
    #expect(try await place.run("profile", "remove", "work", "--force").status == 4)
    #expect(FileManager.default.fileExists(atPath: place.file().path))
  }

  private func findings(_ outcome: Outcome, level: String) throws -> [String] {
    let object = try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
    let findings = object?["findings"] as? [[String: String]] ?? []
    return findings.filter { $0["level"] == level }.compactMap { $0["about"] }
  }

  @Test("show --request prints the requests that a login then sends, and sends none")
  func requests() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let outcome = try await place.run("profile", "show", "work", "--request", "--json")
    outcome.expect(0)
    #expect(try await place.lab.count("token") == 0)
    let object = try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
    let request = try #require((object?["requests"] as? [[String: Any]])?.first)
    #expect(request["url"] as? String == place.lab.origin + "/token" && request["method"] as? String == "POST")
    let shown = (request["parameters"] as? [[String: String]])?.compactMap { $0["name"] }
    let login = try await place.run(["login", "work", "-v", "--password-stdin"], input: .text(Workplace.password))
    let sent = login.error.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /ms\] > ([a-z_]+)=/).map { String($0.1) }
    }
    #expect(shown == sent, "\(login.error)")
    let text = try await place.run("profile", "show", "work", "--request").text
    #expect(text.contains("requests of a login\n  POST \(place.lab.origin)/token\n"), "\(text)")
    #expect(text.contains("    password    ‹password›\n"), "\(text)")
    #expect(try await !place.run("profile", "show", "work").text.contains("requests of a login"))
  }

  @Test("show --request of a profile whose login sends none, or states its own: status 2")
  func noRequests() async throws {
    let place = try Workplace()
    try place.makeProfile("tok", "flow = \"token\"")
    try place.write("type = \"basic\"\nusername = \"alice\"\napi = [\"https://api.example\"]\n", as: "pw")
    for name in ["tok", "pw"] {
      let outcome = try await place.run("profile", "show", name, "--request", "--offline")
      outcome.expect(2, error: "authctl: --request: ")
    }
  }
}
