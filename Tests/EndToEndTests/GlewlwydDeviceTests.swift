import Foundation
import TestSupport
import Testing

@Suite("a real server, login on another device: glewlwyd")
struct GlewlwydDeviceTests {
  /// A workplace with a profile for the server, whose metadata says nothing of its device endpoint.
  func place(_ server: Glewlwyd, client: String, _ more: String = "") throws -> Workplace {
    let place = try Workplace()
    try place.makeProfile(
      "real",
      """
      issuer = "\(server.issuer)"
      client_id = "\(client)"
      api = ["\(server.issuer)"]
      scope = ["openid", "read"]
      flow = "device"
      refresh_before = "0s"
      \(more)
      """, tables: "[endpoints]\ndevice_authorization = \"\(server.issuer)/device_authorization\"\n")
    return place
  }

  /// The page with the code in it, as the login shows it.
  func page(_ run: ProgramRun) throws -> String {
    try run.waitUntilError(contains: "?code=")
    let lines = run.errorSoFar.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    return try #require(lines.first { $0.hasPrefix("http") && $0.contains("?code=") })
  }

  @Test("a public client: approval on the page, call, expiry, refresh")
  func publicClient() throws {
    let server = try Glewlwyd(accessLifetime: 2)
    let place = try place(server, client: "cli-public")
    let run = try place.start(["login", "real"])
    let visit = try place.visit(page(run), password: server.password)
    visit.expect(0)
    let outcome = try run.wait()
    try #require(outcome.status == 0, "\(outcome.error)")
    #expect(try place.pair("real").string("scope") == "openid read")
    #expect(try place.run("call", "userinfo").json().string("sub")?.isEmpty == false)
    let first = try place.pair("real").string("access_token")
    try place.waitForExpiry("real")
    #expect(try place.run("call", "userinfo").status == 0)
    #expect(try place.pair("real").string("access_token") != first)
  }

  @Test("a confidential client authenticates at both endpoints")
  func confidentialClient() throws {
    let server = try Glewlwyd(accessLifetime: 60)
    let place = try place(server, client: "cli-confidential", "client_authentication = \"client_secret_basic\"")
    let secret = try #require(server.secrets["cli-confidential"])
    let run = try place.start(["login", "real", "--client-secret-stdin"], input: .text(secret))
    let visit = try place.visit(page(run), password: server.password)
    visit.expect(0)
    let outcome = try run.wait()
    outcome.expect(0)
    #expect(try place.run("logout", "real").status == 0)
  }

  @Test("no approval: the login ends by its own timeout")
  func walkAway() throws {
    let server = try Glewlwyd(accessLifetime: 60)
    let place = try place(server, client: "cli-public")
    let outcome = try place.run("login", "real", "--timeout", "3s")
    outcome.expect(5, error: "within 3s")
    #expect(try place.stored("real") == nil)
  }
}
