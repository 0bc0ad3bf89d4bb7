import Foundation
import TestSupport
import Testing

@Suite("clients at a real server: glewlwyd")
struct GlewlwydClientTests {
  /// A client, how it authenticates, and the algorithm where it is not what fits the key.
  static let methods: [(client: String, method: String, algorithm: String?)] = [
    ("cli-confidential", "client_secret_basic", nil), ("cli-odd", "client_secret_post", nil),
    ("cli-secret-jwt", "client_secret_jwt", nil), ("cli-secret-jwt", "client_secret_jwt", "HS512"),
    ("cli-key-rsa", "private_key_jwt", nil), ("cli-key-rsa", "private_key_jwt", "PS256"),
    ("cli-key-ec", "private_key_jwt", nil), ("cli-key-ed25519", "private_key_jwt", nil),
  ]

  /// One server for all cells of a flow: it takes a second to start.
  @Test(
    "login, call, refresh, logout, for each flow and each client authentication method",
    arguments: ["client-credentials", "browser", "password"])
  func life(flow: String) throws {
    let server = try Glewlwyd(accessLifetime: 60)
    let place = try Workplace()
    for (client, method, algorithm) in GlewlwydClientTests.methods {
      let words = [method, algorithm ?? client].joined(separator: " ")
      try makeProfile(place, server, flow, client, method, algorithm)
      var login = ["login", "real"]
      if let secret = server.secrets[client] {
        login += ["--client-secret-file", try place.secretFile(secret)]
      }
      if flow == "password" { login.append("--password-stdin") }
      let outcome = try place.run(
        login, input: flow == "password" ? .text(server.password) : .nothing,
        environment: place.browser(password: server.password))
      try #require(outcome.status == 0, "\(words): \(outcome.error)")
      let refreshed = try place.run("refresh", "real")
      try #require(refreshed.status == 0, "\(words): \(refreshed.error)")
      if flow == "browser" { #expect(try place.run("call", "userinfo").status == 0, "\(words)") }
      let logout = try place.run("logout", "real")
      #expect(logout.error.contains("tokens revoked"), "\(words): \(logout.error)")
      Cell(flow: flow, authentication: words, server: "glewlwyd").ran()
    }
  }

  private func makeProfile(
    _ place: Workplace, _ server: Glewlwyd, _ flow: String, _ client: String, _ method: String, _ algorithm: String?
  ) throws {
    let uris = server.redirectURIs.map { "\"\($0)\"" }.joined(separator: ", ")
    var more = """
      issuer = "\(server.issuer)"
      client_id = "\(client)"
      client_authentication = "\(method)"
      api = ["\(server.issuer)"]
      scope = [\(flow == "browser" ? "\"openid\", " : "")"read"]
      redirect_uri = [\(uris)]
      flow = "\(flow)"
      """
    // glewlwyd takes assertions for the very endpoint that is asked only.
    if method.hasSuffix("_jwt") { more += "\nassertion_audience = \"endpoint\"" }
    if let key = server.keys[client] { more += "\nassertion_key = \"\(key)\"" }
    if let algorithm { more += "\nassertion_algorithm = \"\(algorithm)\"" }
    try place.makeProfile("real", more)
  }

  @Test("an assertion for the issuer is refused by it without a word: status 6 names the way out")
  func audience() throws {
    let server = try Glewlwyd(accessLifetime: 60)
    let place = try Workplace()
    let key = try #require(server.keys["cli-key-ec"])
    try place.makeProfile(
      "real",
      """
      issuer = "\(server.issuer)"
      client_id = "cli-key-ec"
      client_authentication = "private_key_jwt"
      assertion_key = "\(key)"
      scope = ["read"]
      flow = "client-credentials"
      """)
    let outcome = try place.run("login", "real")
    outcome.expect(6, error: "assertion_audience")
  }

  @Test("the authorization request is pushed, as the server offers")
  func pushed() throws {
    let server = try Glewlwyd(accessLifetime: 60)
    let place = try Workplace()
    try makeProfile(place, server, "browser", "cli-key-rsa", "private_key_jwt", nil)
    let outcome = try place.run("login", "real", environment: place.browser(password: server.password))
    try #require(outcome.status == 0, "\(outcome.error)")
    let log = try place.browserLog()
    let first = try #require(log.split(separator: "\n").first)
    #expect(first.contains("request_uri="), "\(first)")
    #expect(!first.contains("code_challenge="), "\(first)")
    Cell(flow: "browser, pushed", authentication: "private_key_jwt cli-key-rsa", server: "glewlwyd").ran()
  }
}
