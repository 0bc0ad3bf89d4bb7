import Foundation
import TestSupport
import Testing

@Suite("LogoutRun") struct LogoutRunTests {
  @Test("logout of a confidential client authenticates it, and its secret is removed too")
  func confidential() async throws {
    let place = try Workplace()
    try place.makeProfile("work", "client_id = \"svc\"\nclient_authentication = \"client_secret_basic\"")
    let login = ["login", "work", "--password-stdin", "--client-secret-file", try place.secretFile("svc-secret")]
    let outcome = try await place.run(login, input: .text(Workplace.password))
    try #require(outcome.status == 0, "\(outcome.error)")
    #expect(try place.clientSecret() == "svc-secret")
    #expect(try await place.run("logout").status == 0)
    #expect(try await place.lab.count("revoke.ok") == 2)
    #expect(try place.stored(kind: "client-secret") == nil)
    #expect(try place.stored() == nil)
  }

  @Test(
    "a failed revocation is reported, and the tokens are deleted all the same",
    arguments: [
      (#"{"endpoint":"revoke","kind":"status","status":503}"#, Int32(5)), (#"{"endpoint":"revoke","kind":"drop"}"#, 5),
      (#"{"endpoint":"revoke","kind":"always401"}"#, 6),
    ])
  func failedRevocation(fault: String, status: Int32) async throws {
    let place = try await Workplace.loggedIn()
    try await place.lab.fail(fault)
    let outcome = try await place.run("logout", "work")
    #expect(outcome.status == status, "\(outcome.error)")
    #expect(outcome.error.contains("revok"))
    #expect(try place.stored() == nil)
  }

  @Test("a revocation that fails transiently is retried", arguments: ["status\",\"status\":503", "drop"])
  func transientRevocation(fault: String) async throws {
    let place = try await Workplace.loggedIn()
    try await place.lab.fail(
      "{\"endpoint\":\"revoke\",\"count\":1,\"kind\":\"\(fault)\"}".replacing("503\"", with: "503"))
    let outcome = try await place.run("logout", "work")
    outcome.expect(0)
    #expect(try await place.lab.count("revoke.ok") == 2)
  }

  @Test("a server that allows no public client to revoke: reported, status 6, tokens gone (real-servers.md, 18, 28)")
  func publicClient() async throws {
    let place = try await Workplace.loggedIn()
    try await place.lab.change(#"{"public_revocation":false}"#)
    let outcome = try await place.run("logout", "work")
    outcome.expect(6, error: "public")
    #expect(try place.stored() == nil)
  }

  @Test("--local-only sends nothing; --all logs out of all profiles")
  func localOnly() async throws {
    let place = try await Workplace.loggedIn()
    try place.makeProfile("zoo")
    try await place.logIn("zoo")
    try await place.lab.reset()
    #expect(try await place.run("logout", "--all", "--local-only").status == 0)
    #expect(try await place.lab.lastRequests().isEmpty)
    #expect(try place.stored() == nil)
    #expect(try place.stored("zoo") == nil)
  }

  @Test("a keyring that can be read only: logout and login end with 4 and send nothing; a valid token is used")
  func readOnly() async throws {
    let place = try await Workplace.loggedIn()
    place.secrets.failNextSaves(100)
    let logout = try await place.run("logout", "work")
    logout.expect(4)
    #expect(try await place.lab.count("revoke") == 0)
    #expect(try await place.run("call", "me").status == 0)
    #expect(try await place.run("refresh").status == 4)
    #expect(try await place.passwordLogin().status == 4)
    #expect(try await place.lab.count("token") == 0)
    place.secrets.failNextSaves(0)
    #expect(try await place.run("logout", "work").status == 0)
    #expect(try await place.lab.count("revoke.ok") > 0)
  }
}
