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

  @Test("a wrong password: the 401 is the answer, with the hint to log in again, and nothing is asked twice")
  func wrong() throws {
    let place = try loggedIn()
    #expect(try place.run(["login", "work", "--password-stdin"], input: .text("wrong-password")).status == 0)
    try place.lab.reset()
    let outcome = try place.run("call", "echo")
    #expect(outcome.status == 22 && outcome.text.contains("unauthorized"), "\(outcome.error)")
    #expect(outcome.error.contains("authctl login work"))
    #expect(try place.lab.count("kind2.basic") == 1)
  }

  @Test("status says unknown, refresh has nothing to do, token is an error, logout removes the password")
  func commands() throws {
    let place = try loggedIn()
    let status = try JSONObject.array(place.run("status", "--json").output)[0]
    #expect(status.string("type") == "basic" && status.string("state") == "unknown")
    #expect(try place.run("status", "--require", "1h").status == 0)
    let refresh = try place.run("refresh", "--all")
    #expect(refresh.status == 0 && refresh.error.contains("nothing to refresh"), "\(refresh.error)")
    let token = try place.run("token")
    #expect(token.status == 2 && token.text.isEmpty && token.error.contains("authctl call"), "\(token.error)")
    let logout = try place.run("logout", "work")
    #expect(logout.status == 0, "\(logout.error)")
    #expect(try place.stored(kind: "password") == nil)
    #expect(try place.run("call", "me").status == 3)
    #expect(try place.run("refresh", "work").status == 3)
    #expect(try JSONObject.array(place.run("status", "--json").output)[0].string("state") == "logged_out")
  }

  @Test("the password goes to the profile's origins only")
  func origin() throws {
    let place = try loggedIn()
    let other = try Authlab()
    #expect(try place.run("call", "--profile", "work", other.origin + "/open/echo").status == 7)
    let redirect = try place.run("call", "-L", "redirect?to=\(other.origin)/open/echo")
    #expect(redirect.status == 0, "\(redirect.error)")
    #expect(try redirect.json().header("authorization") == nil)
  }

  @Test("a name with a colon can't be sent, and no file is made")
  func colon() throws {
    let place = try Workplace(.none)
    let outcome = try place.run(
      "login", "work", "--type", "basic", "--username", "al:ice", "--api", "https://x.example")
    #expect(outcome.status == 2 && outcome.error.contains("colon"), "\(outcome.error)")
    #expect(!FileManager.default.fileExists(atPath: place.file().path))
  }
}
