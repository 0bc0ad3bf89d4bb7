import Foundation
import TestSupport
import Testing

@Suite("refresh and logout, end to end")
struct RefreshLogoutTests {
  @Test("refresh prints one line a profile on standard error, nothing with -q")
  func refreshLines() throws {
    let place = try Workplace.loggedIn()
    let told = try place.run("refresh", "work")
    #expect(told.status == 0 && told.text.isEmpty)
    #expect(told.error.hasPrefix("work: refreshed") && told.error.split(separator: "\n").count == 1, "\(told.error)")
    let quiet = try place.run("refresh", "work", "-q")
    #expect(quiet.status == 0 && quiet.text.isEmpty && quiet.error.isEmpty)
    #expect(try place.lab.count("token.refresh_token.ok") == 2)
  }

  @Test("--min-validity renews only where less is left, --jitter waits")
  func minValidity() throws {
    let place = try Workplace.loggedIn()
    #expect(try place.run("refresh", "--min-validity", "5m").status == 0)
    #expect(try place.lab.count("token") == 0)
    #expect(try place.run("refresh", "--min-validity", "20m", "--jitter", "1s").status == 0)
    #expect(try place.lab.count("token.refresh_token.ok") == 1)
  }

  @Test("--all: each profile has its turn; one that is logged out is left out, unless it is named")
  func all() throws {
    let place = try Workplace.loggedIn()
    try place.makeProfile("never")
    try place.makeProfile("zoo")
    try place.logIn("zoo")
    try place.lab.reset()
    let outcome = try place.run("refresh", "--all")
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.error.contains("work: refreshed") && outcome.error.contains("zoo: refreshed"))
    #expect(outcome.error.contains("never: skipped: logged out"))
    #expect(try place.lab.count("token.refresh_token.ok") == 2)
    let json = try place.run("refresh", "work", "zoo", "--json")
    #expect(try JSONObject.array(json.output).map { $0.string("profile") } == ["work", "zoo"])
    let failed = try place.run("refresh", "never", "--json")
    #expect(failed.text.isEmpty)
    #expect(try failed.errorJSON().string("code") == "login_required")
    #expect(try failed.errorJSON().string("profile") == "never")
  }

  @Test("logout revokes both tokens at the server, then removes all that is stored (real-servers.md, 28)")
  func logout() throws {
    let place = try Workplace.loggedIn()
    let pair = try place.pair()
    let outcome = try place.run("logout", "work")
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(try place.stored() == nil)
    #expect(FileManager.default.fileExists(atPath: place.file().path))
    let form = [
      (name: "grant_type", value: "refresh_token"), ("refresh_token", pair.string("refresh_token") ?? ""),
      ("client_id", "cli"),
    ]
    #expect(try place.lab.post("/token", form: form).string("error") == "invalid_grant")
    let bearer = (name: "Authorization", value: "Bearer \(pair.string("access_token") ?? "")")
    #expect(try place.lab.send("GET", "/api/me", headers: [bearer]).status == 401)
    let again = try place.run("logout", "work")
    #expect(again.status == 0 && again.error.contains("not logged in"))
    #expect(try place.run("call", "me").status == 3)
  }

  @Test("logout of a confidential client proves who it is, and its secret is removed too")
  func confidential() throws {
    let place = try Workplace()
    try place.makeProfile("work", "client_id = \"svc\"\nclient_authentication = \"client_secret_basic\"")
    let login = ["login", "work", "--password-stdin", "--client-secret-file", try place.secretFile("svc-secret")]
    let outcome = try place.run(login, input: .text(Workplace.password))
    try #require(outcome.status == 0, "\(outcome.error)")
    #expect(try place.clientSecret() == "svc-secret")
    #expect(try place.run("logout").status == 0)
    #expect(try place.lab.count("revoke.ok") == 2)
    #expect(try place.stored(kind: "client-secret") == nil)
    #expect(try place.stored() == nil)
  }

  @Test(
    "a revocation that fails is told, and the tokens are gone all the same",
    arguments: [
      (#"{"endpoint":"revoke","kind":"status","status":503}"#, Int32(5)), (#"{"endpoint":"revoke","kind":"drop"}"#, 5),
      (#"{"endpoint":"revoke","kind":"always401"}"#, 6),
    ])
  func failedRevocation(fault: String, status: Int32) throws {
    let place = try Workplace.loggedIn()
    try place.lab.fail(fault)
    let outcome = try place.run("logout", "work")
    #expect(outcome.status == status, "\(outcome.error)")
    #expect(outcome.error.contains("revok"))
    #expect(try place.stored() == nil)
  }

  @Test("a revocation that fails for a moment is tried again", arguments: ["status\",\"status\":503", "drop"])
  func transientRevocation(fault: String) throws {
    let place = try Workplace.loggedIn()
    try place.lab.fail("{\"endpoint\":\"revoke\",\"count\":1,\"kind\":\"\(fault)\"}".replacing("503\"", with: "503"))
    let outcome = try place.run("logout", "work")
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(try place.lab.count("revoke.ok") == 2)
  }

  @Test("a server that lets no public client revoke: told, status 6, tokens gone (real-servers.md, 18, 28)")
  func publicClient() throws {
    let place = try Workplace.loggedIn()
    try place.lab.change(#"{"public_revocation":false}"#)
    let outcome = try place.run("logout", "work")
    #expect(outcome.status == 6, "\(outcome.error)")
    #expect(outcome.error.contains("public"), "\(outcome.error)")
    #expect(try place.stored() == nil)
  }

  @Test("--local-only asks nobody; --all logs out of all")
  func localOnly() throws {
    let place = try Workplace.loggedIn()
    try place.makeProfile("zoo")
    try place.logIn("zoo")
    try place.lab.reset()
    #expect(try place.run("logout", "--all", "--local-only").status == 0)
    #expect(try place.lab.lastRequests().isEmpty)
    #expect(try place.stored() == nil)
    #expect(try place.stored("zoo") == nil)
  }
}
