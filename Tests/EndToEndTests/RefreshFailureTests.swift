import Foundation
import TestSupport
import Testing

@Suite("a refresh that fails, end to end")
struct RefreshFailureTests {
  @Test(
    "a dead refresh token: status 3, remembered without asking again, the hook runs once (real-servers.md, 3)",
    arguments: ["invalid-grant", "empty"])
  func invalidGrant(response: String) throws {
    let place = try Workplace()
    let mark = place.session.directory.appending(path: "mark")
    let hook = "[on]\nlogin_required = 'echo \"$AUTHCTL_PROFILE $AUTHCTL_ERROR\" >> \(mark.path)'\n"
    try place.makeProfile("work", "", tables: hook)
    try place.logIn()
    try place.lab.change(#"{"dead_refresh_token":"\#(response)"}"#)
    try place.lab.revokeAll()
    try place.lab.reset()
    let first = try place.run("refresh", "work")
    first.expect(3, error: "authctl login work")
    #expect(try place.lab.count("token") == 1)
    for command in [["refresh", "work"], ["call", "me"], ["token", "--min-validity", "20m"]] {
      let again = try place.run(command)
      #expect(again.status == 3 || command[0] == "token", "\(command): \(again.error)")
    }
    #expect(try place.lab.count("token") == 1)
    let code = response == "empty" ? "400" : "invalid_grant"
    #expect(try String(contentsOf: mark, encoding: .utf8) == "work \(code)\n")
    let status = try JSONObject.array(place.run("status", "--json").output)[0]
    #expect(status.string("last_error") == code)
    try place.logIn()
    #expect(try place.run("refresh", "work").status == 0)
  }
}
