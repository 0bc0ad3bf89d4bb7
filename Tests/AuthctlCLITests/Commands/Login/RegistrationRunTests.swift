import AuthCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AuthctlCLI

@Suite("RegistrationRun") struct RegistrationRunTests {
  /// A workplace whose server registers clients.
  private func place(_ settings: String = "") async throws -> Workplace {
    let place = try Workplace(lab: ["--registration"])
    if !settings.isEmpty { try await place.lab.change("{\(settings)}") }
    return place
  }

  /// The arguments of a first login that names no client.
  private func arguments(_ place: Workplace, _ profile: String = "work", scope: String = "openid api") -> [String] {
    ["login", profile, "--issuer", place.lab.origin, "--api", place.lab.origin + "/api", "--scope", scope]
  }

  private func logIn(_ place: Workplace, _ profile: String = "work", scope: String = "openid api") async throws
    -> Outcome
  {
    try await place.run(arguments(place, profile, scope: scope), browser: place.browser())
  }

  private func profile(_ place: Workplace) throws -> String { try String(contentsOf: place.file(), encoding: .utf8) }

  // MARK: - A first login

  @Test("a login without a client ID registers a client; the next login and every refresh use it")
  func registered() async throws {
    let place = try await place()
    let first = try await logIn(place)
    first.expect(0)
    let client = try #require(try place.registration()?.string("client_id"))
    #expect(first.error.contains("Client       registered as \(client)"), "\(first.error)")
    #expect(first.error.contains("(RFC 7591; stored in the keyring)\n"), "\(first.error)")
    #expect(try place.pair().object("server").string("client_id") == client)
    let file = try profile(place)
    #expect(file.contains("\n# client_id: the registered client; `authctl profile show`"), "\(file)")
    #expect(!file.contains("\nclient_id"))
    try await place.lab.expireAccessTokens()
    #expect(try await place.run("call", "me").status == 0)
    #expect(try await place.lab.count("token.refresh_token.ok") == 1)
    let again = try await place.run(["login", "work"], browser: place.browser())
    again.expect(0, error: "Client       \(client)")
    #expect(try await place.lab.count("registration.create.ok") == 1)
    #expect(try await place.lab.count("registration.read.ok") == 1)
    #expect(try place.pair().object("server").string("client_id") == client)
  }

  @Test("the login waits on a registered port; if all of them are in use: status 5, and they are named")
  func ports() async throws {
    let place = try await place(#""exact_redirect_uri":true"#)
    let outcome = try await logIn(place)
    outcome.expect(0)
    var sockets: [LoopbackListener] = []
    for port in place.redirectPorts { sockets.append(try await .again(at: port)) }
    let blocked = try await place.run(["login", "work"], browser: place.browser())
    blocked.expect(5)
    for port in place.redirectPorts { #expect(blocked.error.contains("127.0.0.1:\(port)"), "\(blocked.error)") }
    #expect(sockets.count == 3)
  }

  @Test("a call with a valid token reads the keyring once")
  func roundTrips() async throws {
    let place = try await place()
    #expect(try await logIn(place).status == 0)
    let before = place.secrets.loads
    #expect(try await place.run("call", "me").status == 0)
    #expect(place.secrets.loads == before + 1)
  }

  @Test("the device flow registers its grant")
  func device() async throws {
    let place = try await place()
    // The code is never confirmed: the clock of the server does not move.
    let outcome = try await place.run(arguments(place) + ["--flow", "device", "--timeout", "1s"])
    #expect(outcome.status != 0, "\(outcome.error)")
    #expect(try await place.lab.count("device_authorization.ok") == 1)
    let item = try #require(place.secrets.items[SecretItem(registrationAt: place.lab.origin)])
    #expect(item.exposed.contains(#""urn:ietf:params:oauth:grant-type:device_code""#))
  }

  @Test("a client with a secret refreshes with it; so does a logout revoke")
  func confidential() async throws {
    let place = try await place(#""registration_faults":["no-public-clients"]"#)
    let outcome = try await logIn(place)
    outcome.expect(0)
    #expect(try place.registration()?.string("client_secret") != nil)
    #expect(try place.stored(kind: "client-secret") == nil)
    try await place.lab.expireAccessTokens()
    #expect(try await place.run("call", "me").status == 0)
    let logout = try await place.run("logout", "work")
    logout.expect(0)
    #expect(try await place.lab.count("revoke.ok") > 0)
    #expect(try place.registration() != nil)
  }

  @Test("scopes that the registration does not cover: another client is registered, the old one deleted")
  func moreScope() async throws {
    let place = try await place()
    #expect(try await logIn(place).status == 0)
    let client = try #require(try place.registration()?.string("client_id"))
    let outcome = try await place.run(["login", "work", "--scope", "openid api read"], browser: place.browser())
    outcome.expect(0)
    #expect(try place.registration()?.string("client_id") != client)
    #expect(try await place.lab.count("registration.delete.ok") == 1)
    #expect(try await place.run("call", "me").status == 0)
  }

  @Test("scopes that the registration does not cover: a client that another profile uses is kept at the server")
  func sharedClientKept() async throws {
    let place = try await place()
    #expect(try await logIn(place).status == 0)
    #expect(try await logIn(place, "other", scope: "openid read").status == 0)
    #expect(try await place.lab.count("registration.delete") == 0)
    try await place.lab.expireAccessTokens()
    let call = try await place.run("call", "-p", "work", "me")
    call.expect(0)
    // Each profile's later logins find the client that was registered for its scopes.
    for name in ["work", "other", "work"] {
      let again = try await place.run(["login", name], browser: place.browser())
      again.expect(0)
    }
    #expect(try await place.lab.count("registration.create.ok") == 2)
  }

  @Test("a registered client is used before a metadata document")
  func registeredFirst() async throws {
    let place = try await place()
    #expect(try await logIn(place).status == 0)
    let client = try #require(try place.registration()?.string("client_id"))
    try Data("client_metadata_url = \"https://example.com/authctl.json\"\n".utf8).write(
      to: place.configuration.appending(path: "config.toml"))
    try await place.lab.change(#"{"client_metadata_documents":true}"#)
    try await place.lab.publish(clientDocument: place.run("profile", "client-metadata").text)
    let again = try await place.run(["login", "work"], browser: place.browser())
    again.expect(0)
    #expect(try place.pair().object("server").string("client_id") == client)
  }

  // MARK: - What can fail

  @Test("an expired client secret is not sent: a refresh ends with status 3, the next login registers again")
  func expiredSecret() async throws {
    let place = try await place(#""registration_faults":["no-public-clients"],"registered_secret_lifetime":1"#)
    #expect(try await logIn(place).status == 0)
    let client = try #require(try place.registration()?.string("client_id"))
    place.clocks.pass(2)
    try await place.lab.reset()
    let refresh = try await place.run("refresh", "work")
    refresh.expect(3, error: "authctl login work")
    #expect(try await place.lab.lastRequests().isEmpty)
    let login = try await place.run(["login", "work"], browser: place.browser())
    login.expect(0)
    #expect(try place.registration()?.string("client_id") != client)
    #expect(try await place.run("refresh", "work").status == 0)
  }

  @Test("a server that has forgotten the client: a refresh ends with status 3, the next login registers again")
  func forgotten() async throws {
    let place = try await place()
    #expect(try await logIn(place).status == 0)
    let client = try #require(try place.registration()?.string("client_id"))
    try await place.lab.forgetClients()
    try place.waitForExpiry()
    let call = try await place.run("call", "me")
    call.expect(3, error: "authctl login work")
    #expect(try await place.lab.count("registration.create.ok") == 1)
    let login = try await place.run(["login", "work"], browser: place.browser())
    login.expect(0, error: "the server no longer knows \(client)")
    #expect(try await place.lab.count("registration.create.ok") == 2)
    #expect(try await place.run("call", "me").status == 0)
  }

  @Test("the same without a way to read the registration: a made-up code tells that the client is gone")
  func forgottenWithoutManagement() async throws {
    let place = try await place(#""registration_management":false"#)
    #expect(try await logIn(place).status == 0)
    #expect(try await place.run(["login", "work"], browser: place.browser()).status == 0)
    #expect(try await place.lab.count("registration.create.ok") == 1)
    try await place.lab.forgetClients()
    let login = try await place.run(["login", "work"], browser: place.browser())
    login.expect(0)
    #expect(try await place.lab.count("registration.create.ok") == 2)
  }

  @Test(
    "a registration that answers 400 succeeds with other metadata",
    arguments: ["port-needed", "localhost-only", "no-scope"])
  func variants(fault: String) async throws {
    let place = try await place(#""registration_faults":["\#(fault)"],"registered_scope_binds":false"#)
    let outcome = try await logIn(place)
    outcome.expect(0)
  }

  @Test(
    "a response without a client ID, or with a redirect that was not requested: status 6, nothing is used or stored",
    arguments: [
      ("no-client-id", "no usable client_id"), ("other-redirect-uri", "a redirect URI that was not requested"),
    ])
  func unusable(fault: String, why: String) async throws {
    let place = try await place(#""registration_faults":["\#(fault)"]"#)
    let outcome = try await logIn(place)
    outcome.expect(6)
    #expect(outcome.error.contains(why), "\(outcome.error)")
    #expect(try place.registration() == nil)
    #expect(try await place.lab.count("authorize") == 0)
    #expect(!FileManager.default.fileExists(atPath: place.file().path))
  }

  @Test("an address of another origin is not used: the registration's token never leaves for it")
  func foreignAddress() async throws {
    let place = try await place(#""registration_faults":["other-origin"]"#)
    #expect(try await logIn(place).status == 0)
    #expect(try place.registration()?.string("registration_access_token") == nil)
    let outcome = try await place.run("profile", "remove", "work", "--force")
    outcome.expect(0, error: "it offers no way to delete it")
  }

  @Test("a keyring that can't store the client: status 4, and nothing is registered")
  func keyring() async throws {
    let place = try await place()
    place.secrets.failNextSaves(1)
    let outcome = try await logIn(place)
    outcome.expect(4)
    #expect(try await place.lab.count("registration.create") == 0)
  }

  @Test("a login that fails after the registration leaves it for the next one")
  func kept() async throws {
    let place = try await place()
    let denied = try await place.run(arguments(place), browser: place.browser(.deny))
    denied.expect(6)
    #expect(try await logIn(place).status == 0)
    #expect(try await place.lab.count("registration.create.ok") == 1)
  }

  @Test(
    "a server that fails: status 5; one that refuses without the initial access token: status 2, and how to give it")
  func refused() async throws {
    let place = try Workplace(lab: ["--registration-token", "IAT"])
    let outcome = try await logIn(place)
    outcome.expect(2, error: "--registration-token-stdin")
    let given = try await place.run(
      arguments(place) + ["--registration-token-stdin"], input: .text("IAT\n"), browser: place.browser())
    given.expect(0)
    let failing = try await self.place()
    try await failing.lab.fail(#"{"endpoint":"registration.create","kind":"status","status":503}"#)
    #expect(try await logIn(failing).status == 5)
    let stated = try await place.run(
      place.browserLogin(["--registration-token-stdin"]) + ["-p", "cli"], input: .text("IAT"))
    stated.expect(2)
  }

  @Test(
    "a registration that fails: the hint names --client-id and the redirect URI to register",
    arguments: [
      ("status", ["status": 500], Int32(5)), ("html", ["status": 503], 5), ("html", [:], 6), ("flood", [:], 6),
      ("status", ["status": 403], 2), ("status", ["status": 400], 2), ("empty", ["status": 404], 2),
    ] as [(String, [String: Int], Int32)])
  func failed(kind: String, members: [String: Int], status: Int32) async throws {
    let place = try await place()
    try await place.response(at: "registration.create", kind, members)
    let outcome = try await logIn(place)
    #expect(outcome.status == status, "\(outcome.error)")
    let advice =
      "register a public client at \(place.lab.origin) with the redirect URI http://127.0.0.1/callback, then run: "
      + "authctl login work --issuer \(place.lab.origin) --scope 'openid api' --api \(place.lab.origin)/api "
      + "--client-id ID\n"
    #expect(outcome.error.contains(advice), "\(outcome.error)")
    let given = try await place.run(arguments(place) + ["--client-id", "cli"], browser: place.browser())
    given.expect(0)
  }

  @Test("an initial access token that the server refuses: status 6, and the message says so")
  func refusedToken() async throws {
    let place = try Workplace(lab: ["--registration-token", "IAT"])
    let outcome = try await place.run(
      arguments(place) + ["--registration-token-stdin"], input: .text("OTHER\n"), browser: place.browser())
    outcome.expect(6)
    let why = "registering a client: the server refuses the initial access token: \(place.lab.origin)/register returned"
    #expect(outcome.error.contains(why) && outcome.error.contains("--client-id ID\n"), "\(outcome.error)")
    #expect(!outcome.error.contains("OTHER"))
  }

  // MARK: - Other ways to a client

  @Test("on a terminal the client ID is asked for after the redirect URI was named, and written to the profile")
  func asked() async throws {
    let place = try Workplace()
    var parts = Workplace.Parts()
    parts.browser = place.browser()
    let console = try FakeConsole(answers: ["cli"])
    let outcome = await place.run(arguments(place), at: console, with: parts)
    outcome.expect(0)
    #expect(console.questions == ["Client ID for \(place.lab.origin.dropFirst(7)): "])
    #expect(outcome.error.contains("with the redirect URI http://127.0.0.1/callback\n"), "\(outcome.error)")
    #expect(try profile(place).contains("\nclient_id = \"cli\"\n"))
  }

  @Test("a server that reads metadata documents gets the URL of config.toml as client ID, on a fixed port")
  func metadataDocument() async throws {
    let place = try await place(#""client_metadata_documents":true,"exact_redirect_uri":true"#)
    let missing = try await place.run("profile", "client-metadata")
    #expect(missing.status == 2)
    #expect(missing.error.contains("client_metadata_url = \"https://"), "\(missing.error)")
    let url = "https://example.com/authctl.json"
    try place.write("issuer = \"https://id.example\"\n", as: "folder")
    try Data("client_metadata_url = \"\(url)\"\n".utf8).write(
      to: place.configuration.appending(path: "config.toml"))
    let document = try await place.run("profile", "client-metadata")
    #expect(try document.json().string("client_id") == url)
    #expect(document.text.contains(":\(place.redirectPorts[0])/callback"))
    try await place.lab.publish(clientDocument: document.text)
    let outcome = try await logIn(place)
    outcome.expect(0)
    #expect(try profile(place).contains("\nclient_id = \"\(url)\"\n"))
    #expect(try await place.lab.count("registration.create") == 0)
    #expect(try await place.run(["login", "work"], browser: place.browser()).status == 0)
  }

  @Test(
    "config.toml follows the rules of profiles: an unknown key, a URL that is none, a mode that others may use",
    arguments: [
      ("client_metadata_uri = \"x\"", "config.toml:1:1: unknown key 'client_metadata_uri'"),
      ("client_metadata_url = \"http://example.com/x\"", "config.toml:1:1: 'client_metadata_url' must be an https URL"),
      ("client_metadata_url = \"https://example.com\"", "must be an https URL with a path"), ("= 1", "config.toml:1:"),
    ])
  func configuration(text: String, why: String) async throws {
    let place = try Workplace()
    try place.write("issuer = \"https://id.example\"\n")
    let file = place.configuration.appending(path: "config.toml")
    try Data((text + "\n").utf8).write(to: file)
    let outcome = try await place.run("profile", "client-metadata")
    #expect(outcome.status == 2)
    #expect(outcome.error.contains(why), "\(outcome.error)")
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file.path)
    #expect(try await place.run("profile", "client-metadata").error.contains("chmod go-w"))
  }

  // MARK: - The end of a profile

  @Test("profile show prints the client ID with its source")
  func shown() async throws {
    let place = try await place()
    #expect(try await logIn(place).status == 0)
    let client = try #require(try place.registration()?.string("client_id"))
    let show = try await place.run("profile", "show", "work", "--json")
    let row = try show.json().object("settings").object("client_id")
    #expect(row.string("value") == client)
    #expect(row.string("from") == "keyring")
    place.secrets.fail(.locked)
    let blind = try await place.run("profile", "show", "work", "--offline")
    #expect(blind.status == 0)
    #expect(blind.text.contains("warning: client_id: not in the file"), "\(blind.text)")
  }

  @Test("profile remove deletes the registration with the last profile that uses it, also at the server")
  func removed() async throws {
    let place = try await place()
    #expect(try await logIn(place).status == 0)
    #expect(try await logIn(place, "other").status == 0)
    #expect(try await place.lab.count("registration.create.ok") == 1)
    #expect(try await place.run("logout", "work", "other").status == 0)
    #expect(try await place.run("profile", "remove", "work").status == 0)
    #expect(try await place.lab.count("registration.delete.ok") == 0)
    #expect(try place.registration() != nil)
    let outcome = try await place.run("profile", "remove", "other")
    outcome.expect(0)
    #expect(try await place.lab.count("registration.delete.ok") == 1)
    #expect(try place.registration() == nil)
  }

  @Test("a login that waits in its browser keeps the client that the last profile of the issuer had")
  func removedDuringLogin() async throws {
    let place = try await place()
    #expect(try await logIn(place).status == 0)
    #expect(try await place.run("logout", "work").status == 0)
    var parts = Workplace.Parts()
    parts.browser = LaterBrowser(browser: place.browser()) {
      let removal = try await place.run("profile", "remove", "work")
      removal.expect(0)
    }
    let outcome = await place.run(
      arguments(place, "second") + ["--timeout", "600s"], at: try FakeConsole(text: nil), with: parts)
    outcome.expect(0)
    #expect(!FileManager.default.fileExists(atPath: place.file().path))
    #expect(try place.registration() != nil)
    #expect(try await place.lab.count("registration.delete") == 0)
    #expect(try await place.run("call", "me").status == 0)
  }

  @Test("two first logins at once register one client, and both write the same profile")
  func together() async throws {
    let place = try await place()
    try await place.lab.fail(#"{"endpoint":"registration.create","kind":"delay","milliseconds":500}"#)
    async let one = logIn(place)
    async let other = logIn(place)
    for outcome in [try await one, try await other] { #expect(outcome.status == 0, "\(outcome.error)") }
    #expect(try await place.lab.count("registration.create.ok") == 1)
    #expect(try await place.run("call", "me").status == 0)
  }

  @Test("a profile with another token endpoint gets a client of its own; the secret of the first never goes there")
  func otherTokenEndpoint() async throws {
    let place = try await place(#""registration_faults":["no-public-clients"]"#)
    #expect(try await logIn(place).status == 0)
    let secret = try #require(try place.registration()?.string("client_secret"))
    let requests = Mutex(0)
    place.network.add("https://evil.example") { _ in
      requests.withLock { $0 += 1 }
      return "HTTP/1.1 400 Bad Request\n\n{\"error\":\"invalid_grant\"}"
    }
    var text = try profile(place)
    text += "\n[endpoints]\ntoken = \"https://evil.example/token\"\n"
    try Data(text.utf8).write(to: place.file())
    try await place.lab.expireAccessTokens()
    #expect(try await place.run("call", "me").status == 3)
    #expect(requests.withLock(\.self) == 0)
    _ = try await place.run(["login", "work"], browser: place.browser())
    #expect(try place.registration()?.string("client_secret") != secret)
  }

  @Test("the initial access token is not sent to a server that only the API has named: status 2")
  func tokenForNamedServer() async throws {
    let place = try Workplace(lab: ["--registration-token", "IAT"])
    place.network.add("http://127.0.0.1:1") { [origin = place.lab.origin] _ in
      let body = #"{"resource":"http://127.0.0.1:1","authorization_servers":["\#(origin)"]}"#
      return "HTTP/1.1 200 OK\nContent-Type: application/json\n\n\(body)"
    }
    let outcome = try await place.run(
      ["login", "http://127.0.0.1:1", "--registration-token-stdin"], input: .text("IAT"), browser: place.browser())
    outcome.expect(2, error: "--issuer \(place.lab.origin)")
    #expect(try await place.lab.count("registration.create") == 0)
  }

  @Test(
    "a registration that the server does not delete: the profile is gone, status 5 or 6; --force ignores it",
    arguments: [(500, 5), (503, 5), (403, 6)] as [(Int, Int32)])
  func notDeleted(status: Int, exit: Int32) async throws {
    for isForced in [false, true] {
      let place = try await place()
      #expect(try await logIn(place).status == 0)
      #expect(try await place.run("logout", "work").status == 0)
      try await place.lab.fail(#"{"endpoint":"registration.delete","kind":"status","status":\#(status)}"#)
      let outcome = try await place.run(["profile", "remove", "work"] + (isForced ? ["--force"] : []))
      #expect(outcome.status == (isForced ? 0 : exit), "\(outcome.error)")
      #expect(!FileManager.default.fileExists(atPath: place.file().path))
    }
  }

  @Test("no client ID, and a server that registers none: status 2, with the redirect URI and the command to type")
  func noClient() async throws {
    let place = try Workplace()
    let outcome = try await logIn(place)
    #expect(outcome.status == 2)
    #expect(
      outcome.error == """
        authctl: profile work: client_id is missing: the server does not register clients
          register a public client at \(place.lab.origin) with the redirect URI http://127.0.0.1/callback, then run: \
        authctl login work --issuer \(place.lab.origin) --scope 'openid api' \
        --api \(place.lab.origin)/api --client-id ID

        """)
    #expect(!FileManager.default.fileExists(atPath: place.file().path))
  }

  @Test("a profile without a client ID is shown, and its login names the file to edit")
  func fileWithoutClient() async throws {
    let place = try Workplace()
    try place.write("issuer = \"\(place.lab.origin)\"\n")
    let shown = try await place.run("profile", "show", "work")
    shown.expect(0)
    let outcome = try await place.run("login", "work")
    #expect(outcome.status == 2)
    #expect(outcome.error.contains(", then add client_id = \"…\" to \(place.file().path)\n"), "\(outcome.error)")
  }
}

/// A browser that does something before its person opens the page.
private struct LaterBrowser: Browser {
  let browser: FakeBrowser
  let first: @Sendable () async throws -> Void
  var isAvailable: Bool { browser.isAvailable }

  func open(_ url: String) async -> Bool {
    // A failure is recorded as an issue of the test.
    await #expect(throws: Never.self) { try await first() }
    return await browser.open(url)
  }
}
