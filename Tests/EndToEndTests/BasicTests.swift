import Foundation
import TestSupport
import Testing

@Suite("HTTP Basic, end to end")
struct BasicTests {
  private func loggedIn() throws -> Workplace {
    let place = try Workplace()
    let outcome = try place.run(
      [
        "login", "work", "--type", "basic", "--username", "alice", "--api", "\(place.lab.origin)/kind2/basic",
        "--password-stdin",
      ], input: .text(Workplace.password))
    guard outcome.status == 0 else { throw SessionError("no login: \(outcome.error)") }
    return place
  }

  @Test("a login from options makes the file; the password is in the keyring alone; calls carry it (RFC 7617)")
  func login() throws {
    let place = try loggedIn()
    #expect(try String(contentsOf: place.file(), encoding: .utf8).contains("type = \"basic\""))
    #expect(try !String(contentsOf: place.file(), encoding: .utf8).contains(Workplace.password))
    #expect(try place.stored(kind: "password") == Workplace.password)
    #expect(try place.stored() == nil)
    let outcome = try place.run("call", "-v", "echo")
    try #require(outcome.status == 0, "\(outcome.error)")
    #expect(try outcome.json().header("authorization") == "Basic YWxpY2U6YWxpY2UtcGFzcw==")
    #expect(!outcome.error.contains("YWxpY2U6") && !outcome.error.contains(Workplace.password), "\(outcome.error)")
    #expect(outcome.error.contains("(password)"))
  }
}
