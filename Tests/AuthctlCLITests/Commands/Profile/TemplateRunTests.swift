import AuthCore
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AuthctlCLI

/// `profile new` and `login --template`.
@Suite("TemplateRun") struct TemplateRunTests {
  private func text(_ place: Workplace, _ profile: String = "work") throws -> String {
    try String(contentsOf: place.file(profile), encoding: .utf8)
  }

  private func exists(_ place: Workplace, _ profile: String = "work") -> Bool {
    FileManager.default.fileExists(atPath: place.file(profile).path)
  }

  /// The options that give each value that a template needs.
  private func options(_ template: ProfileTemplate) -> [String] {
    template.fields.flatMap { field in
      let value = ProfileTemplate.sample(field)
      return field.setting.map { ["--\($0.option.long)", value] } ?? ["--field", "\(field.name)=\(value)"]
    } + (template.type == .oauth2 && !template.fields.contains { $0.name == "client_id" } ? ["--client-id", "x"] : [])
  }

  @Test("profile new creates a valid profile from each template, and opens no editor", arguments: ProfileTemplate.all)
  func each(template: ProfileTemplate) async throws {
    let place = try Workplace()
    let editor = FakeEditor { text in
      Issue.record("the editor was opened")
      return text
    }
    let outcome = await place.run(
      ["profile", "new", "work", "--template", template.name] + options(template),
      at: try FakeConsole(isTerminal: true),
      with: .init(editor: editor))
    outcome.expect(0)
    #expect(
      outcome.error
        == "authctl: profile work written to \(place.file().path)\n  log in with: authctl login work\n")
    #expect(try mode(of: FilePath(place.file().path)) == 0o600)
    #expect(try !text(place).contains("login NAME"))
    let list = try await place.run("profile", "list", "--json")
    list.expect(0)
  }

  @Test("options change settings, uncomment them and add others; the comments stay")
  func settings() async throws {
    let place = try Workplace()
    let outcome = try await place.run(
      ["profile", "new", "work", "--template", "keycloak", "--field", "host=id.example.com", "--field", "realm=main"]
        + ["--client-id", "cli", "--scope", "openid", "--flow", "device", "--proxy", "http://127.0.0.1:3128"])
    outcome.expect(0)
    let text = try text(place)
    #expect(
      text.hasPrefix("# Created from the template keycloak. Edit it freely: it is never rewritten.\n#\n# Keycloak\n"))
    for line in [
      "issuer = \"https://id.example.com/realms/main\"\nclient_id = \"cli\"", "scope = [\"openid\"]\nflow = \"device\"",
      "# api = [\"https://api.example.com\"]", "[network]\nproxy = \"http://127.0.0.1:3128\"",
      "# offline_access creates a session that outlives the SSO session; without it",
    ] {
      #expect(text.contains("\n\(line)"), "\(line) in \(text)")
    }
  }

  @Test("without a terminal all missing values are named at once: status 2, and nothing is written")
  func missing() async throws {
    let place = try Workplace()
    let outcome = try await place.run("profile", "new", "work", "--template", "okta")
    #expect(outcome.status == 2)
    #expect(
      outcome.error == """
        authctl: profile work: the template okta needs domain, client_id
          add --field domain=DOMAIN --client-id ID

        """)
    let login = try await place.run("login", "work", "--template", "keycloak", "--field", "realm=main")
    #expect(login.status == 2 && login.error.contains("the template keycloak needs host\n  add --field host=HOST\n"))
    #expect(!exists(place))
  }

  @Test("a default fills what is not given, without a question where there is no terminal")
  func standard() async throws {
    let place = try Workplace()
    let outcome = try await place.run("profile", "new", "work", "--template", "gitlab", "--client-id", "cli")
    outcome.expect(0)
    #expect(try text(place).contains("issuer = \"https://gitlab.com\"\n"))
    #expect(try text(place).contains("api = [\"https://gitlab.com/api/v4\"]\n"))
  }

  @Test("on a terminal the missing values are asked for, with the default in brackets, until they are valid")
  func asked() async throws {
    let place = try Workplace()
    let console = try FakeConsole(answers: ["http://okta.example", "dev.okta.example", "", "cli"])
    let outcome = await place.run(["profile", "new", "work", "--template", "okta"], at: console)
    outcome.expect(0)
    let domain = "domain (the organization's domain: your-domain.okta.com): "
    #expect(
      console.questions
        == [
          domain, domain, "server (the ID of the authorization server) [default]: ",
          "client_id (the client ID of the app): ",
        ])
    #expect(outcome.error.hasPrefix("authctl: domain: it is plain http: "), "\(outcome.error)")
    #expect(try text(place).contains("issuer = \"https://dev.okta.example/oauth2/default\"\n"))
  }

  @Test("the end of the input leaves nothing behind: status 2")
  func ended() async throws {
    let place = try Workplace()
    let console = try FakeConsole(answers: ["id.example.com"])
    let outcome = await place.run(["profile", "new", "work", "--template", "keycloak"], at: console)
    outcome.expect(2, error: "needs realm\n")
    #expect(!exists(place))
  }

  @Test(
    "a command line that can't be meant: status 2, the reason and what helps",
    arguments: [
      (["--template", "gihub"], "--template gihub: there is no such template\n  did you mean 'github'? known: oidc"),
      ([], "profile new: --template is missing\n  add --template NAME, one of: oidc, "),
      (
        ["--template", "keycloak", "--field", "raelm=x"],
        "--field raelm: the template keycloak has no such field\n  did you mean 'realm'? known: host, realm"
      ),
      (["--template", "github", "--field", "x=y"], "has no such field\n  it has none"),
      (["--template", "keycloak", "--field", "realm=a/b"], "--field realm a/b: it is not one segment of a URL's path"),
      (["--template", "keycloak", "--field", "realm=@file"], "--field realm: the template needs the value itself"),
      (["--template", "github", "--client-id", "a\nb"], "--client-id a\\u{a}b: it contains a line end"),
      (
        ["--template", "github", "--client-id", "a", "--field", "client_id=b"],
        "--field client_id: can't be combined with --client-id"
      ),
      (
        ["--template", "json-pair", "--field", "base=api.example.com", "--field", "name=x"],
        "--field name: the template json-pair has no such field"
      ),
      (
        ["--template", "json-pair", "--field", "base=api.example.com", "--dpop"],
        "--dpop: a profile of type custom does not have this setting"
      ),
      (["--template", "github", "--client-id", "x", "--api", "http://api.example.com"], "--api: it is plain http"),
      (["--template", "github", "--client-id", "x", "--cacert", "/nothing.pem"], "there is no such file"),
    ])
  func usage(options: [String], message: String) async throws {
    let place = try Workplace()
    let outcome = try await place.run(["profile", "new", "work"] + options)
    #expect(outcome.status == 2 && outcome.error.contains(message), "\(outcome.error)")
    #expect(!exists(place))
  }

  @Test("a profile that exists is not replaced: status 2")
  func existing() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let before = try text(place)
    for command in [["profile", "new"], ["login"]] {
      let outcome = try await place.run(command + ["work", "--template", "github", "--client-id", "x"])
      outcome.expect(2, error: "already exists")
    }
    #expect(try text(place) == before)
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  @Test("login with the name of a template and no profile shows the command to type")
  func advice() async throws {
    let place = try Workplace()
    #expect(
      try await place.run("login", "github").error == """
        authctl: profile github: there is no such profile, but there is a template with this name
          to create it: authctl login github --template github --client-id ID

        """)
    let keycloak = try await place.run("login", "keycloak")
    #expect(keycloak.status == 2)
    #expect(keycloak.error.contains("authctl login keycloak --template keycloak --field host=HOST --field realm=REALM"))
  }

  @Test("login contradictions with --template: status 2, and nothing is sent")
  func contradictions() async throws {
    let place = try Workplace()
    for (options, message) in [
      (["work", "--template", "oidc", "--type", "basic"], "--type: the template oidc sets the type"),
      (
        ["work", "--template", "oidc", "--discover", place.lab.origin], "--template: can't be combined with a URL"
      ),
      (["--template", "oidc", "--issuer", place.lab.origin], "settings need a URL or a profile name"),
      (["work", "--template", "oidc", "--field", "name=x"], "--field name: the template oidc has no such field"),
    ] {
      let outcome = try await place.run(["login"] + options)
      #expect(outcome.status == 2 && outcome.error.contains(message), "\(outcome.error)")
    }
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  @Test("a login without a client shows the command to type, with the template and its values")
  func clientMissing() throws {
    let arguments = try LoginArguments(
      Invocation(typed: [
        "login", "work", "--template", "keycloak", "--field", "host=id.example", "--field", "realm=My realm",
      ]))
    #expect(
      arguments.command(adding: "--client-id ID", to: try ProfileChoice.name("work"))
        == "authctl login work --template keycloak --field 'host=id.example' --field 'realm=My realm' --client-id ID")
  }

  private func login(_ place: Workplace, password: String = Workplace.password) async throws -> Outcome {
    try await place.run(
      ["login", "work", "--template", "oidc", "--issuer", place.lab.origin, "--client-id", "cli", "--flow", "password"]
        + ["--api", place.lab.origin + "/api", "--username", "alice", "--password-stdin"], input: .text(password))
  }

  @Test("login with a template writes the profile after the login, and a call works")
  func firstLogin() async throws {
    let place = try Workplace()
    let outcome = try await login(place)
    outcome.expect(0)
    let next = "authctl: settings written to \(place.file().path)\nNext: authctl call \(place.lab.origin)/api\n"
    #expect(outcome.error.hasSuffix(next), "\(outcome.error)")
    #expect(try text(place).contains("\nissuer = \"\(place.lab.origin)\"\nclient_id = \"cli\"\n"))
    #expect(try await place.run("call", "me").status == 0)
  }

  @Test("a login that fails writes no profile")
  func failedLogin() async throws {
    let place = try Workplace()
    let outcome = try await login(place, password: "wrong")
    #expect(outcome.status == 6 || outcome.status == 3, "\(outcome.error)")
    #expect(try !exists(place) && place.stored() == nil)
  }

  @Test("a client secret that is given implies how the client authenticates, unless the template says it")
  func implied() async throws {
    let place = try Workplace()
    let secret = place.folder.appending(path: "secret")
    try Data("s3cret".utf8).write(to: secret)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret.path)
    for (template, method) in [("oidc", "client_secret_basic"), ("google", "client_secret_post")] {
      let arguments = try LoginArguments(
        Invocation(
          typed: ["login", "work", "--template", template, "--client-id", "x", "--client-secret-file", secret.path]
            + (template == "oidc" ? ["--issuer", "https://id.example.com"] : [])))
      let context = Context.test(home: place.folder, console: try FakeConsole())
      let target = try await LoginTarget(arguments, context)
      #expect(target.profile.clientAuthentication.rawValue == method)
    }
  }

  /// A template for a server with requests of its own, and how it is used against authlab.
  static let custom: [(String, path: String, kind: ServerKind, options: [String], input: String)] = [
    ("json-pair", "", .flat, ["--username", "alice", "--password-stdin"], Workplace.password),
    ("retry-on-401", "", .silent, ["--username", "alice", "--password-stdin"], Workplace.password),
    ("success-flag", "/api", .flagged, ["--field", "provider=x", "--field", "identity_token=@-"], "identity-of-alice"),
    ("register-nested", "/v1", .nested, ServerKind.nested.options, "pw-of-ada"),
    ("guest-envelope", "/v1", .enveloped, ["--field", "name=Ada"], ""),
  ]

  @Test(
    "login with the template of a server with requests of its own fills both with --field", arguments: custom.indices)
  func customLogin(index: Int) async throws {
    let (template, path, kind, options, input) = Self.custom[index]
    let place = try Workplace()
    let base = "\(place.lab.origin)/\(kind.name)\(path)"
    let outcome = try await place.run(
      ["login", "work", "--template", template, "--field", "base=\(base)"] + options, input: .text(input))
    outcome.expect(0)
    #expect(try text(place).contains("base = \"\(base)\"\napi = [\"\(base)\"]\n"))
    let call = try await place.run("call", "me")
    call.expect(0)
    #expect(try call.json().string("name") == kind.user)
  }

  @Test("a first login by a request that registers is stored as one that logs in again, not one that registers again")
  func registersOnce() async throws {
    let place = try Workplace()
    let base = "\(place.lab.origin)/\(ServerKind.nested.name)/v1"
    let first = try await place.run(
      ["login", "work", "--template", "register-nested", "--field", "base=\(base)"] + ServerKind.nested.options,
      input: .text("pw-of-ada"))
    first.expect(0)
    #expect(try !text(place).contains("\nflow = "))
    let again = try await place.run(
      ["login", "work", "--field", "email=ada@x.example", "--password-stdin"], input: .text("pw-of-ada"))
    again.expect(0)
    #expect(try await place.lab.count("kind4.register.ok") == 1)
    #expect(try await place.lab.count("kind4.login.ok") == 1)
    let token = try await place.run(
      ["login", "other", "--template", "register-nested", "--field", "base=\(base)", "--flow", "token"],
      input: .text("opaque"))
    token.expect(0)
    #expect(try String(contentsOf: place.file("other"), encoding: .utf8).contains("\nflow = \"token\"\n"))
  }
}
