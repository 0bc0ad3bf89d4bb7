import Foundation
import TestSupport
import Testing

@Suite("BasicRun") struct BasicRunTests {
  private func loggedIn() async throws -> Workplace {
    let place = try Workplace()
    let outcome = try await place.run(
      [
        "login", "work", "--type", "basic", "--username", "alice", "--api", "\(place.lab.origin)/kind2/basic",
        "--password-stdin",
      ], input: .text(Workplace.password))
    guard outcome.status == 0 else { throw SessionError("no login: \(outcome.error)") }
    return place
  }

  @Test("a wrong password: the 401 is the response, with the hint to log in again, and nothing is asked twice")
  func wrong() async throws {
    let place = try await loggedIn()
    #expect(try await place.run(["login", "work", "--password-stdin"], input: .text("wrong-password")).status == 0)
    try await place.lab.reset()
    let outcome = try await place.run("call", "echo")
    #expect(outcome.status == 22 && outcome.text.contains("unauthorized"), "\(outcome.error)")
    #expect(outcome.error.contains("authctl login work"))
    #expect(try await place.lab.count("kind2.basic") == 1)
  }

  @Test("status says unknown, refresh has nothing to do, token is an error, logout removes the password")
  func commands() async throws {
    let place = try await loggedIn()
    let status = try await JSONObject.array(place.run("status", "--json").output)[0]
    #expect(status.string("type") == "basic" && status.string("state") == "unknown")
    #expect(try await place.run("status", "--require", "1h").status == 0)
    let refresh = try await place.run("refresh", "--all")
    refresh.expect(0, error: "nothing to refresh")
    let token = try await place.run("token")
    #expect(token.status == 2 && token.text.isEmpty && token.error.contains("authctl call"), "\(token.error)")
    let logout = try await place.run("logout", "work")
    logout.expect(0)
    #expect(try place.stored(kind: "password") == nil)
    #expect(try await place.run("call", "me").status == 3)
    #expect(try await place.run("refresh", "work").status == 3)
    #expect(try await JSONObject.array(place.run("status", "--json").output)[0].string("state") == "logged_out")
  }

  @Test("the password goes to the profile's origins only")
  func origin() async throws {
    let place = try await loggedIn()
    let other = try place.otherLab()
    #expect(try await place.run("call", "--profile", "work", other.origin + "/open/echo").status == 7)
    let redirect = try await place.run("call", "-L", "redirect?to=\(other.origin)/open/echo")
    redirect.expect(0)
    #expect(try redirect.json().header("authorization") == nil)
  }

  @Test("a name with a colon can't be sent, and no file is made")
  func colon() async throws {
    let place = try Workplace(.none)
    let outcome = try await place.run(
      "login", "work", "--type", "basic", "--username", "al:ice", "--api", "https://x.example")
    outcome.expect(2, error: "colon")
    #expect(!FileManager.default.fileExists(atPath: place.file().path))
  }
}
