import Foundation
import TestSupport
import Testing

@Suite("Tokens and secrets belong to their server, end to end")
struct BindingTests {
  /// The `[endpoints]` of a profile that names no issuer.
  private func endpoints(_ lab: Authlab) -> String {
    "[endpoints]\ntoken = \"\(lab.origin)/token\"\nrevocation = \"\(lab.origin)/revoke\"\n"
  }

  /// Logs in with a profile without an issuer.
  private func placeWithoutIssuer() throws -> Workplace {
    let place = try Workplace()
    try place.makeProfile("work", tables: endpoints(place.lab))
    try dropIssuer(place)
    try place.logIn()
    try place.lab.reset()
    return place
  }

  private func dropIssuer(_ place: Workplace) throws {
    let text = try String(contentsOf: place.file(), encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("issuer") }
    try Data(lines.joined(separator: "\n").utf8).write(to: place.file())
  }

  /// Edits the profile so that it describes another server.
  private func move(_ place: Workplace, to other: Authlab) throws {
    try place.makeProfile("work", tables: endpoints(other))
    try dropIssuer(place)
  }

  @Test("[endpoints] edited to another server: no command uses or sends the tokens, and status says why")
  func editedEndpoints() throws {
    let place = try placeWithoutIssuer()
    let other = try Authlab()
    try move(place, to: other)
    for command in [
      ["refresh", "work"], ["refresh", "work", "--min-validity", "1s"], ["token"], ["call", "me"],
      ["exec", "--", "true"], ["status", "--require", "1s"],
    ] {
      let outcome = try place.run(command)
      #expect(outcome.status == 3, "\(command): \(outcome.error)")
    }
    let status = try JSONObject.array(place.run("status", "--json").output)[0]
    #expect(status.string("state") == "login_required")
    let text = try place.run("status").text
    #expect(text.contains("the origin of the token endpoint has changed since the login"), "\(text)")
    #expect(try other.lastRequests().isEmpty)
    #expect(try place.lab.lastRequests().isEmpty)
  }

  private let client =
    "flow = \"client-credentials\"\nclient_id = \"svc\"\nclient_authentication = \"client_secret_basic\""

  /// Logs the client `svc` in, with its secret.
  private func logIn(_ place: Workplace) throws {
    try place.makeProfile("work", client)
    let outcome = try place.run(["login", "work", "--client-secret-stdin"], input: .text("svc-secret"))
    try #require(outcome.status == 0, "\(outcome.error)")
    try place.lab.reset()
  }

  @Test(
    "a client secret of another server is not sent by a login: status 2, and the option is named",
    arguments: [true, false])
  func secretOfAnotherServer(isBare: Bool) throws {
    let place = try Workplace()
    try logIn(place)
    let item = try JSONObject(Data(#require(try place.stored(kind: "client-secret")).utf8))
    #expect(item.string("secret") == "svc-secret")
    #expect(try item.object("server").string("issuer") == place.lab.origin)
    if isBare { try storeBareSecret(place) }
    let other = try Authlab()
    try place.makeProfile("work", client + "\nissuer = \"\(other.origin)\"")
    let refused = try place.run("login", "work")
    refused.expect(2)
    #expect(refused.error.contains("--client-secret-stdin") && refused.error.contains(place.lab.origin))
    #expect(try other.lastRequests().allSatisfy { $0.target.hasPrefix("/.well-known/") })
    let given = try place.run(["login", "work", "--client-secret-stdin"], input: .text("svc-secret"))
    given.expect(0)
    // The access token of the old session has no refresh token beside it, and is left to expire.
    #expect(try other.count("revoke") == 0 && place.lab.count("revoke") == 0)
  }

  @Test("a bare client secret, as earlier versions stored it, still works at its server")
  func bareSecret() throws {
    let place = try Workplace()
    try logIn(place)
    try storeBareSecret(place)
    #expect(try place.run("refresh", "work").status == 0)
    #expect(try place.run("login", "work").status == 0)
    #expect(try place.run("logout", "work").status == 0)
    #expect(try place.lab.count("token.client_credentials.ok") == 2)
  }

  private func storeBareSecret(_ place: Workplace) throws {
    let attributes = ["application", "authctl", "profile", "work", "kind", "client-secret"]
    _ = try place.session.run("secret-tool", ["store", "--label", "x"] + attributes, input: "svc-secret")
  }

  @Test("an access token that the API refused, with a dead refresh token, is used by no command")
  func dead() throws {
    let place = try Workplace.loggedIn()
    try place.lab.revokeAll()
    try place.lab.reset()
    let first = try place.run("call", "me")
    first.expect(3)
    try place.lab.reset()
    for command in [
      ["call", "me"], ["token"], ["exec", "--", "true"], ["refresh", "work", "--min-validity", "1s"],
      ["refresh", "work"], ["status", "--require", "1s"],
    ] {
      let outcome = try place.run(command)
      #expect(
        outcome.status == 3 && outcome.text.contains("access") == (command[0] == "status"), "\(command): \(outcome)")
    }
    let status = try JSONObject.array(place.run("status", "--json").output)[0]
    #expect(status.string("state") == "login_required" && status.string("last_error") == "invalid_grant")
    #expect(try place.run("status").text.contains("authctl login work"))
    #expect(try place.lab.lastRequests().isEmpty)
    try place.logIn()
    #expect(try place.run("call", "me").status == 0)
  }
}
