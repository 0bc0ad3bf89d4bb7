import Foundation
import TestSupport
import Testing

@Suite("DPoPRun") struct DPoPRunTests {
  private static func place(_ settings: String = "{}", _ more: String = "") async throws -> Workplace {
    let place = try Workplace()
    try await place.lab.change(settings)
    try place.makeProfile("work", "dpop = true\n" + more)
    return place
  }

  @Test("a server that does not know DPoP: the token is a bearer token, with a warning")
  func bearer() async throws {
    let place = try await Self.place(#"{"dpop":false}"#)
    let outcome = try await place.run(["login", "work", "--password-stdin"], input: .text(Workplace.password))
    #expect(outcome.status == 0)
    #expect(outcome.error.contains("bearer token"), "\(outcome.error)")
    let echo = try await place.run("call", "echo").json()
    #expect(echo.header("authorization")?.hasPrefix("Bearer ") == true)
    #expect(echo.header("dpop") == nil)
  }

  @Test("a header line alone is of no use, and no -H takes the proof's place: status 2")
  func headerLine() async throws {
    let place = try await Self.place()
    try await place.logIn()
    let header = try await place.run("token", "--header")
    #expect(header.status == 2 && header.output.isEmpty)
    #expect(header.error.contains("authctl call"), "\(header.error)")
    let bare = try await place.run("token")
    bare.expect(0, error: "proof")
    #expect(try await place.run("token", "-q").error.isEmpty)
    let own = try await place.run("call", "-H", "dpop: x", "me")
    own.expect(2, error: "-H")
    #expect(try await place.run("call", "--no-auth", "-H", "DPoP: x", place.lab.origin + "/open/echo").status == 0)
  }
}
