import AuthCore
import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI
@testable import enum authlab.FaultKind

/// Every command, flow and fault with `-vv` and all forms of a trace, and a search for each secret in all that is shown
/// and in all files.
@Suite("no secret is printed") struct SecretHuntTests {
  private static let login = ["login", "work", "--password-stdin"]
  private static let password = ProgramInput.text(Workplace.password)

  @Test("of any command, as text and as JSON, while status --watch reports each change")
  func commands() async throws {
    let place = try Workplace(lab: ["--jwt-access-tokens"])
    let other = try place.otherLab()
    let hunt = SecretHunt(place, others: [other])
    try place.makeProfile("work", "scope = [\"openid\", \"api\"]")
    try place.makeProfile("other", "issuer = \"\(other.origin)\"\napi = [\"\(other.origin)/api\"]")
    let lines = try FakeConsole()
    let watches = [lines, try FakeConsole(isOutputTerminal: true)].map { console in
      Task { await place.run(["status", "--watch", "-vv"], at: console) }
    }
    try await place.wait(for: "the subscriptions") { place.secrets.observers == 2 }
    for name in ["work", "other"] {
      try await hunt.run(["login", name, "--password-stdin"], input: Self.password)
      try await hunt.run(["login", name, "--password-stdin", "--json"], input: Self.password)
    }
    try await calls(place, other, hunt)
    try await hunt.run(["refresh", "work"])
    try await hunt.run(["refresh", "--all", "--json"])
    try await place.wait(for: "the refreshes") { lines.written.contains(#""event":"refreshed""#) }
    for words in [
      ["token"], ["token", "-p", "work", "--cache", "30s"], ["token", "-p", "work", "--header"], ["status"],
      ["status", "work", "--json"], ["inspect", "work"], ["inspect", "work", "--json"],
      ["inspect", "work", "--online", "--explain"], ["doctor"], ["doctor", "--json"],
    ] { try await hunt.run(words, status: words == ["token"] ? 2 : 0) }
    try await hunt.run(
      ["credential", "git", "get", "-p", "work"], input: .text("protocol=https\nhost=other.example\n"))
    try await hunt.run(
      ["credential", "docker", "get", "-p", "work"], input: .text(place.lab.origin), status: nil)
    let token = try #require(try place.pair().string("access_token"))
    try await hunt.run(["inspect", "-", "-p", "work"], input: .text(token))
    for more in [[], ["--cache", "30s"]] {
      try await hunt.run(["exec", "-p", "work"] + more + ["--", "true"], status: 127)
    }
    try await profiles(place, hunt)
    try await keyring(hunt)
    try await hunt.run(["logout", "work"])
    try await hunt.run(["logout", "other", "--json"])
    try await hunt.run(["call", "-p", "work", "me", "--errors=json"], status: 3)
    place.secrets.report(.failed(.storage(.noBus, .init("the keyring", why: "it is gone", hint: "start it"))))
    for watch in watches { try await hunt.add(await watch.value, ["status", "--watch"]) }
    try hunt.expectNothing(atLeast: 25)
    // A proxy goes on until it is interrupted: ProxyTests look for its token.
    #expect(hunt.commands == Set(SecretHunt.allCommands.map(\.name)).subtracting(["proxy"]))
    let withJSON = SecretHunt.allCommands.filter { $0.options.contains { $0 == .json && $0.value == nil } }
    #expect(hunt.jsonCommands == Set(withJSON.map(\.name)))
  }

  /// Calls with one and with several profiles, with a replay, a batch, a cached token, and as a line for curl.
  private func calls(_ place: Workplace, _ other: LabServer, _ hunt: SecretHunt) async throws {
    let call = ["call", "-p", "work"]
    for secret in ["cookie-secret", "query-secret"] { hunt.add(secret) }
    try await hunt.run(call + ["me"])
    try await hunt.run(call + ["-d", "a=b", "-H", "Cookie: id=cookie-secret", "echo/x?access_token=query-secret"])
    try await place.lab.expireAccessTokens()
    let replay = try await hunt.run(call + ["-d", "a=b", "echo"])
    #expect(replay.error.contains("to replay the request"), "\(replay.error)")
    try await other.expireAccessTokens()
    let addresses = "\(place.lab.origin)/api/me\n{\"url\":\"\(other.origin)/api/echo\",\"body\":\"x\"}\n"
    try await hunt.run(["call", "--batch", "-"], input: .text(addresses))
    for failure in ["expired", "refused"] { try await hunt.run(call + ["--simulate", failure, "echo"]) }
    for _ in 0..<2 { try await hunt.run(call + ["--cache", "30s", "echo"]) }
    try await hunt.run(call + ["--print-curl", "me"])
  }

  /// The commands of the family `profile`.
  private func profiles(_ place: Workplace, _ hunt: SecretHunt) async throws {
    let document = "client_metadata_url = \"https://example.com/authctl.json\"\n"
    _ = try place.file("c/authctl/config.toml", holding: document)
    var editing = Workplace.Parts()
    editing.editor = FakeEditor { $0 }
    try await hunt.run(["profile", "edit", "work"], at: FakeConsole(isTerminal: true), with: editing)
    for words in [
      ["list"], ["list", "--json"], ["show", "work"], ["show", "work", "--request", "--json"], ["path", "work"],
      ["client-metadata"], ["new", "fresh", "--template", "github", "--client-id", "ID"], ["remove", "fresh"],
    ] { try await hunt.run(["profile"] + words) }
    let key = place.folder.appending(path: "new.key").path
    try await hunt.run(["profile", "new-key", key])
    hunt.add(try String(contentsOfFile: key, encoding: .utf8).trimmingCharacters(in: .newlines))
    try FileManager.default.removeItem(atPath: key)
  }

  private func keyring(_ hunt: SecretHunt) async throws {
    for (password, status) in [("keyring-wrong", 4), ("keyring-right", 0)] as [(String, Int32)] {
      hunt.add(password)
      var parts = Workplace.Parts()
      parts.keyring = FakeKeyring(.locked("keyring-right"))
      try await hunt.run(
        ["keyring", "unlock", "--password-stdin"], input: .text(password), with: parts, status: status)
    }
  }

  @Test("of a browser login with registration")
  func registration() async throws {
    let place = try Workplace(lab: ["--jwt-access-tokens", "--registration"])
    let hunt = SecretHunt(place)
    let login = [
      "login", "work", "--issuer", place.lab.origin, "--api", place.lab.origin + "/api", "--scope", "openid", "--scope",
      "api",
    ]
    try await hunt.run(login, with: .init(browser: place.browser()))
    for words in [["call", "me"], ["refresh"], ["inspect", "--online"], ["doctor"], ["logout"]] {
      try await hunt.run(words)
    }
    try await hunt.run(["profile", "remove", "work"])
    try hunt.expectNothing(atLeast: 8)
  }

  @Test(
    "of any flow, with bearer tokens and with tokens that are bound to a key",
    arguments: Flow.allCases.map { ($0, false) } + Flow.allCases.filter { $0 != .token }.map { ($0, true) })
  func flows(flow: Flow, isBound: Bool) async throws {
    let keys = try TemporaryDirectory()
    let (key, publicKey) = (keys.url.appending(path: "key.pem").path, keys.url.appending(path: "public.pem").path)
    for words in [
      ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key],
      ["pkey", "-in", key, "-pubout", "-out", publicKey],
    ] { #expect(try Tool.run(["openssl"] + words).status == 0) }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    let place = try Workplace(lab: ["--key-client", "key:\(publicKey)"])
    try await place.lab.change(
      #"{"device_interval":0,"par":"required","dpop_token_nonce":true,"dpop_api_nonce":true}"#)
    let hunt = SecretHunt(place)
    for line in try String(contentsOfFile: key, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("-") {
      hunt.add(String(line))
    }
    let client =
      switch flow {
      case .browser, .clientCredentials: "client_id = \"svc\"\nclient_authentication = \"client_secret_basic\"\n"
      case .jwtBearer: "client_id = \"key\"\nassertion_key = \"\(key)\"\n"
      case .device, .password, .tokenExchange, .token: ""
      }
    try place.makeProfile("work", "flow = \"\(flow.rawValue)\"\n" + client + (isBound ? "dpop = true\n" : ""))
    let secret = try place.secretFile("svc-secret")
    try await logIn(flow, place, hunt, secret: secret)
    try await hunt.run(["call", "echo"])
    try await place.lab.expireAccessTokens()
    // Without a refresh token these fail.
    for words in [["call", "echo"], ["refresh"], ["inspect", "--online"], ["logout"]] {
      try await hunt.run(words, status: nil)
    }
    try hunt.expectNothing(atLeast: isBound ? 8 : 3, except: [secret])
  }

  private func logIn(_ flow: Flow, _ place: Workplace, _ hunt: SecretHunt, secret: String) async throws {
    switch flow {
    case .browser:
      try await hunt.run(["login", "work", "--client-secret-file", secret], with: .init(browser: place.browser()))
    case .clientCredentials: try await hunt.run(["login", "work", "--client-secret-file", secret])
    case .password: try await hunt.run(Self.login, input: Self.password)
    case .jwtBearer: try await hunt.run(["login", "work"])
    case .device:
      let console = try FakeConsole(isTerminal: true, isOutputTerminal: true)
      console.pressEnter()
      let browser = NotingBrowser { [lab = place.lab] _ in
        (try? await lab.decideDevices(#"{"decision":"allow"}"#)) != nil
      }
      let outcome = try await hunt.run(["login", "work"], at: console, with: .init(browser: browser))
      // Only the user code is printed, for the user.
      #expect(outcome.error.contains("user_code=‹redacted›"), "\(outcome.error)")
    case .tokenExchange: try await hunt.run(["login", "work", "--subject-token-stdin"], input: .text(token(place)))
    case .token: try await hunt.run(["login", "work"], input: .text(token(place)))
    }
  }

  /// A token of alice's that another client has got.
  private func token(_ place: Workplace) async throws -> String {
    let form = [
      (name: "grant_type", value: "password"), ("username", "alice"), ("password", Workplace.password),
      ("client_id", "cli"),
    ]
    let response = try await place.lab.post("/token", form: form)
    return try #require(try JSONObject(response.body).string("access_token"))
  }

  @Test("of any fault of an endpoint that a command uses", arguments: FaultKind.allCases)
  func faults(kind: FaultKind) async throws {
    let place = try Workplace(lab: ["--jwt-access-tokens"])
    let hunt = SecretHunt(place)
    try place.makeProfile("work", "scope = [\"openid\", \"api\"]")
    try await hunt.run(Self.login, input: Self.password)
    for (endpoint, words) in [
      ("discovery", Self.login), ("token", Self.login), ("token", ["refresh"]), ("api", ["call", "echo"]),
      ("jwks", ["inspect"]), ("introspect", ["inspect", "--online"]), ("userinfo", ["inspect", "--online"]),
      ("*", ["doctor"]), ("revoke", ["logout"]),
    ] {
      let before = try await place.lab.count("fault.\(kind.rawValue)")
      var members: [String: Any] = ["location": "/x?code=code-of-a-redirect", "milliseconds": 1]
      if kind == .status { members["status"] = 500 }
      try await place.response(at: endpoint, kind.rawValue, members)
      try await hunt.run(words, input: Self.password, status: nil)
      try await place.lab.clearFaults()
      #expect(try await place.lab.count("fault.\(kind.rawValue)") > before, "\(words) at \(endpoint)")
    }
    hunt.add("code-of-a-redirect")
    try hunt.expectNothing(atLeast: 4)
  }

  @Test("of a session that is stored in a file")
  func file() async throws {
    let place = try Workplace(.none)
    let hunt = SecretHunt(place)
    let key = place.folder.appending(path: "store.key").path
    try await hunt.run(["profile", "new-key", key])
    try place.makeProfile("work", "store = \"file\"\nstore_key = \"\(key)\"")
    try await hunt.run(Self.login, input: Self.password)
    try await hunt.run(["call", "echo"])
    try await hunt.run(["refresh"])
    try await hunt.run(["doctor"])
    hunt.add(try String(contentsOfFile: key, encoding: .utf8).trimmingCharacters(in: .newlines))
    try hunt.expectNothing(atLeast: 5, except: [key])
    try await hunt.run(["logout"])
    try hunt.expectNothing(atLeast: 5, except: [key])
  }

  @Test("with --trace-secrets, except in the files that are made with it")
  func keptSecrets() async throws {
    let place = try await Workplace.loggedIn()
    let former = try place.pair()
    let files = ["har", "jsonl"].map { place.folder.appending(path: "kept.\($0)").path }
    let outcome = try await place.run(
      ["refresh", "work", "-vv", "--trace-secrets"] + files.flatMap { ["--trace", $0] })
    outcome.expect(0)
    let pair = try place.pair()
    let tokens = try [former.string("refresh_token"), pair.string("refresh_token"), pair.string("access_token")]
      .map { try #require($0) }
    for token in tokens {
      for file in files { #expect(try String(contentsOfFile: file, encoding: .utf8).contains(token), "\(file)") }
      #expect(!outcome.error.contains(token), "\(outcome.error)")
    }
  }

  @Test("of logins by password and client credentials, right and wrong, with short secrets too")
  func secrets() async throws {
    let place = try Workplace()
    let hunt = SecretHunt(place)
    try place.makeProfile()
    try await hunt.run(["login", "work", "--password-stdin"], input: .text(Workplace.password))
    try await hunt.run(["login", "work", "--password-stdin"], input: .text("wrong-password"), status: 6)
    for method in ["client_secret_basic", "client_secret_post"] {
      let options = [
        "--issuer", place.lab.origin, "--client-id", "odd", "--api", place.lab.origin + "/api", "--flow",
        "client-credentials", "--client-secret-stdin", "--client-authentication", method,
      ]
      try await hunt.run(["login", method] + options, input: .text("conf secret/+%&=é"))
      try await hunt.run(["refresh", method])
      try await hunt.run(["inspect", method, "--online"])
      let wrong = options.map { $0 == "odd" ? "svc" : $0 }
      try await hunt.run(["login", "bad-\(method)"] + wrong, input: .text("geheim"), status: 6)
    }
    try hunt.expectNothing(atLeast: 8)
  }

  @Test("of a refused refresh, and of tokens that are bound to a key")
  func refused() async throws {
    let place = try Workplace()
    let hunt = SecretHunt(place)
    try place.makeProfile("work", "dpop = true")
    try await hunt.run(["login", "work", "--password-stdin"], input: .text(Workplace.password))
    try await hunt.run(["call", "echo"])
    try await hunt.run(["refresh", "work"])
    try await place.lab.revokeAll()
    try await hunt.run(["refresh", "work"], status: 3)
    try await hunt.run(["logout", "work"])
    try hunt.expectNothing(atLeast: 6)
  }

  @Test("of keys that can't be used: damaged, and of another login")
  func keys() async throws {
    let place = try Workplace()
    let hunt = SecretHunt(place)
    try place.makeProfile("work", "dpop = true")
    try await hunt.run(["login", "work", "--password-stdin"], input: .text(Workplace.password))
    let key = try #require(try place.stored(kind: "dpop-key"))
    let other = String(repeating: "Q", count: 43)
    let part = try #require(try JSONObject(Data(key.utf8)).string("d"))
    for (stored, words) in [
      (key.replacing("P-256", with: "P-999"), "can't be read"), (key.replacing(part, with: other), "another login"),
    ] {
      place.secrets.put(Secret(stored), as: SecretItem(profile: "work", kind: .dpopKey))
      let outcome = try await hunt.run(["call", "echo"], status: 3)
      #expect(outcome.error.contains(words), "\(outcome.error)")
      for command in ["status", "inspect"] { try await hunt.run([command]) }
      for format in [[], ["--json"]] {
        try await hunt.run(["doctor", "--offline"] + format, status: 3)
      }
    }
    try hunt.expectNothing(atLeast: 6)
  }

  @Test("of servers with requests of their own", arguments: ServerKind.allCases)
  func custom(kind: ServerKind) async throws {
    let place = try Workplace(kind: kind)
    let hunt = SecretHunt(place)
    try await hunt.run(["login", "work"] + kind.options, input: .text(Workplace.password))
    try await hunt.run(["call", place.lab.origin + "/api/me"])
    try await hunt.run(["refresh", "work"], status: nil)
    try await hunt.run(["status", "work"])
    try await hunt.run(["logout", "work"])
    try hunt.expectNothing(atLeast: 2)
  }
}
