import AuthCore
import Foundation
import SystemPackage
import Testing

@testable import AuthctlCLI

@Suite("ProfileDraft")
struct ProfileDraftTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    for name in ["ca.pem", "robot.pem", "home/robot.key"] { try folder.write("x", to: name) }
  }

  private func draft(_ words: [String]) throws -> ProfileDraft {
    guard case .run(let invocation) = try Parser(program: .authctl).parse(["login", "work"] + words) else {
      throw UsageError(message: "no command", hint: "")
    }
    let path = FilePath(folder.url.path)
    return ProfileDraft(
      invocation, name: try #require(ProfileName("work")),
      paths: ProfilePaths(folder: path, home: path.appending("home")), impliedAuthentication: nil)
  }

  private static let settings = ["--issuer", "https://id.example", "--client-id", "cli"]

  @Test("the options of [network] are written to the profile, paths as whole ones")
  func network() throws {
    let draft = try draft(
      ProfileDraftTests.settings + [
        "--cacert", "ca.pem", "--proxy", "http://proxy.example:3128", "--client-certificate", "./robot.pem",
        "--client-key", "~/robot.key", "--connect-timeout", "5s",
      ])
    let root = folder.url.path
    #expect(
      draft.toml.hasSuffix(
        """
        [network]
        cacert = "\(root)/ca.pem"
        proxy = "http://proxy.example:3128"
        client_certificate = "\(root)/robot.pem"
        client_key = "\(root)/home/robot.key"
        connect_timeout = "5s"

        """), "\(draft.toml)")
    let network = try draft.profile().network
    #expect(network.connectTimeout == .seconds(5))
    #expect(network.clientKey == "\(root)/home/robot.key")
  }

  @Test("there is an option for each key of [network] but timeout (cli.md)")
  func options() {
    let keys = ProfileKeyTable.network.keys.map(\.name).filter { $0 != "timeout" }
    #expect(ProfileSetting.all.filter { $0.table == "network" }.map(\.key) == keys)
  }

  @Test("a file that does not exist is refused by the option's name", arguments: ["--cacert", "--client-key"])
  func missing(option: String) throws {
    let error = try #require(
      throws: AuthError.self
    ) { try draft(ProfileDraftTests.settings + [option, "none.pem"]).profile() }
    #expect(error.explanation.what == "\(option) \(folder.url.path)/none.pem")
    #expect(error.explanation.why == "there is no such file")
  }

  @Test("a proxy with a password is refused: everybody could see it")
  func proxy() throws {
    let error = try #require(throws: AuthError.self) {
      try draft(ProfileDraftTests.settings + ["--proxy", "http://u:p@proxy.example"]).profile()
    }
    #expect(error.explanation.what == "--proxy")
    #expect(!error.explanation.why.contains("u:p"))
  }

  @Test("the settings that a profile has already may be given again; another one is refused")
  func existing() throws {
    let all =
      ProfileDraftTests.settings + [
        "--client-authentication", "tls_client_auth", "--client-certificate", "robot.pem", "--client-key", "robot.pem",
      ]
    let profile = try draft(all).profile()
    #expect(try draft(all).applied(to: profile, file: "f") == profile)
    #expect(try draft(["--client-key", "robot.pem"]).applied(to: profile, file: "f") == profile)
    let error = try #require(throws: AuthError.self) {
      try draft(["--cacert", "ca.pem"]).applied(to: profile, file: "f")
    }
    #expect(error.explanation.what == "--cacert")
  }

  @Test(
    "what a profile of another type says already is compared by its meaning, not its text",
    arguments: [
      (["--connect-timeout", "60s"], true), (["--connect-timeout", "1m"], true), (["--connect-timeout", "60"], true),
      (["--connect-timeout", "61s"], false), (["--refresh-before", "0.5h"], true), (["--refresh-before", "5m"], false),
      (["--refresh-on", "403", "--refresh-on", "401"], true), (["--refresh-on", "401"], false),
      (["--api", "https://api.example"], true), (["--api", "https://other.example"], false),
      (["--issuer", "https://id.example"], false), (["--client-id", "x"], false), (["--type", "oauth2"], false),
      (["--type", "custom"], true), (["--access-token-lifetime", "1h"], false),
    ])
  func otherTypes(words: [String], isSame: Bool) throws {
    let toml = """
      type = "custom"
      base = "https://api.example"
      api = "https://api.example"
      refresh_before = "30m"
      refresh_on = [401, 403]
      [network]
      connect_timeout = "1m"
      [requests.login]
      url = "/login"
      [response]
      access_token = "/token"
      """
    let profile = try Profile(toml: toml, file: "f", name: #require(ProfileName("work")))
    let draft = try draft(words)
    guard isSame else {
      let error = try #require(throws: AuthError.self) { try draft.applied(to: profile, file: "f") }
      #expect(error.explanation.what == words[0])
      return
    }
    #expect(try draft.applied(to: profile, file: "f") == profile)
  }

  @Test("the same for a profile with a password")
  func basicType() throws {
    let toml = """
      type = "basic"
      username = "alice"
      api = ["https://api.example"]
      [network]
      connect_timeout = "10.0s"
      """
    let profile = try Profile(toml: toml, file: "f", name: #require(ProfileName("work")))
    #expect(try draft(["--connect-timeout", "10s", "--username", "alice"]).applied(to: profile, file: "f") == profile)
    for words in [["--connect-timeout", "11s"], ["--username", "bob"]] {
      #expect(throws: AuthError.self) { try draft(words).applied(to: profile, file: "f") }
    }
  }
}
