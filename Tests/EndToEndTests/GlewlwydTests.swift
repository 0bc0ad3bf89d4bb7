import Foundation
import TestSupport
import Testing

@Suite("a real server: glewlwyd")
struct GlewlwydTests {
  /// A workplace with a profile for the server, whose own server is not used.
  func place(_ server: Glewlwyd, client: String = "cli-public", _ more: String = "") throws -> Workplace {
    let place = try Workplace()
    let uris = server.redirectURIs.map { "\"\($0)\"" }.joined(separator: ", ")
    try place.makeProfile(
      "real",
      """
      issuer = "\(server.issuer)"
      client_id = "\(client)"
      api = ["\(server.issuer)"]
      scope = ["openid", "read"]
      redirect_uri = [\(uris)]
      flow = "browser"
      refresh_before = "0s"
      \(more)
      """)
    return place
  }

  func browserLogin(_ place: Workplace, _ server: Glewlwyd, input: ProgramInput = .nothing, _ more: [String] = [])
    throws
  {
    let outcome = try place.run(
      ["login", "real"] + more, input: input, environment: place.browser(password: server.password))
    try #require(outcome.status == 0, "\(outcome.error)")
  }

  @Test("login in the browser, status, call, expiry, 401, refresh, replay, rotation, logout of a public client")
  func life() throws {
    let server = try Glewlwyd(accessLifetime: 2)
    let place = try place(server)
    try browserLogin(place, server)
    let first = try place.pair("real")
    #expect(first.string("scope") == "openid read")
    let status = try JSONObject.array(place.run("status", "--json").output)[0]
    #expect(status.string("issuer") == server.issuer)
    #expect(["valid", "refreshable"].contains(status.string("state")))
    #expect(try place.run("call", "userinfo").json().string("sub")?.isEmpty == false)
    try place.waitForExpiry("real")
    let refreshed = try place.run("call", "-v", "userinfo")
    refreshed.expect(0)
    let second = try place.pair("real")
    #expect(second.string("refresh_token") != first.string("refresh_token"))
    #expect(second.string("access_token") != first.string("access_token"))
    let logout = try place.run("logout", "real")
    logout.expect(6)
    #expect(logout.error.contains("401") && logout.error.contains("public"), "\(logout.error)")
    #expect(try place.stored("real") == nil)
    #expect(try place.run("call", "userinfo").status == 3)
  }

  @Test("a token that the server takes no more although the clock says otherwise: 401, refresh, replay")
  func replay() throws {
    let server = try Glewlwyd(accessLifetime: 60)
    let place = try place(server, client: "cli-confidential", "client_authentication = \"client_secret_basic\"")
    let secret = try #require(server.secrets["cli-confidential"])
    try browserLogin(place, server, input: .text(secret), ["--client-secret-stdin"])
    let token = try #require(try place.pair("real").string("access_token"))
    let form = "token=\(token)&token_type_hint=access_token"
    let revoked = try place.session.run(
      "curl",
      [
        "-s", "-o", "/dev/null", "-w", "%{http_code}", "-u", "cli-confidential:\(secret)", "-d", form,
        server.issuer + "/revoke",
      ])
    #expect(revoked == "200")
    let outcome = try place.run("call", "-v", "-X", "GET", "userinfo")
    outcome.expect(0, error: "returned 401")
    let logout = try place.run("logout", "real")
    logout.expect(0)
    #expect(try place.stored("real") == nil)
  }

  @Test("a spent refresh token that another client uses kills the family: status 3, remembered")
  func reuse() throws {
    let server = try Glewlwyd(accessLifetime: 60)
    let place = try place(server)
    try browserLogin(place, server)
    let old = try #require(try place.pair("real").string("refresh_token"))
    #expect(try place.run("refresh", "real").status == 0)
    let form = ["-d", "grant_type=refresh_token", "-d", "refresh_token=\(old)", "-d", "client_id=cli-public"]
    let response = try place.session.run(
      "curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}"] + form + [server.issuer + "/token"])
    #expect(response == "400")
    let outcome = try place.run("refresh", "real")
    outcome.expect(3, error: "authctl login real")
    #expect(try place.run("refresh", "real").status == 3)
    #expect(try JSONObject.array(place.run("status", "--json").output)[0].string("last_error") == "400")
  }

  @Test("a client secret of special characters: raw in HTTP Basic, or in the form")
  func oddSecret() throws {
    let server = try Glewlwyd(accessLifetime: 60)
    let secret = try #require(server.secrets["cli-odd"])
    let place = try Workplace()
    let options = ["--issuer", server.issuer, "--client-id", "cli-odd", "--api", server.issuer, "--scope", "read"]
    let login = ["--flow", "client-credentials", "--client-secret-stdin"] + options
    let percent = try place.run(["login", "percent"] + login, input: .text(secret))
    percent.expect(6, error: "basic_encoding")
    let raw = try place.run(["login", "raw", "--basic-encoding", "raw"] + login, input: .text(secret))
    raw.expect(0)
    let post = try place.run(
      ["login", "post", "--client-authentication", "client_secret_post"] + login, input: .text(secret))
    post.expect(0)
  }

  @Test("a wrong password of the password grant: status 6")
  func wrongPassword() throws {
    let server = try Glewlwyd(accessLifetime: 60)
    let place = try place(
      server, client: "cli-confidential", "flow = \"password\"\nclient_authentication = \"client_secret_basic\"")
    let file = try place.secretFile(#require(server.secrets["cli-confidential"]))
    let login = ["login", "real", "--password-stdin", "--client-secret-file", file]
    let wrong = try place.run(login, input: .text("wrong"))
    wrong.expect(6)
    #expect(try place.stored("real") == nil)
    let right = try place.run(login, input: .text(server.password))
    right.expect(0)
  }
}
