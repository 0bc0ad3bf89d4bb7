import Foundation
import TestSupport
import Testing

@Suite("refresh and logout, end to end")
struct RefreshLogoutTests {
  @Test("logout revokes both tokens at the server, then removes all that is stored (real-servers.md, 28)")
  func logout() throws {
    let place = try Workplace.loggedIn()
    let pair = try place.pair()
    let outcome = try place.run("logout", "work")
    outcome.expect(0)
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
}
