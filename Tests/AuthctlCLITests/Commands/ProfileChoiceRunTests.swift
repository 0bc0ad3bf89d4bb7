import Foundation
import TestSupport
import Testing

@Suite("ProfileChoiceRun") struct ProfileChoiceRunTests {
  @Test(
    "which profile: option, environment, the URL's origin, the default, the only one; else the candidates are named")
  func choice() async throws {
    let place = try await Workplace.loggedIn()
    let other = try place.otherLab()
    #expect(try await place.run("call", "me").status == 0)
    try place.makeProfile("zoo", "api = [\"\(other.origin)/api\"]")
    let ambiguous = try await place.run("call", "me")
    #expect(ambiguous.status == 2)
    #expect(ambiguous.error.contains("work") && ambiguous.error.contains("zoo"), "\(ambiguous.error)")
    #expect(try await place.run("call", place.lab.origin + "/api/me").status == 0)
    #expect(try await place.run("call", "-p", "work", "me").status == 0)
    #expect(try await place.run("call", "me", environment: ["AUTHCTL_PROFILE": "work"]).status == 0)
    #expect(try await place.run("call", "-p", "work", "me", environment: ["AUTHCTL_PROFILE": "zoo"]).status == 0)
    #expect(try await place.run("call", "me", environment: ["AUTHCTL_PROFILE": "zoo"]).status == 3)
    #expect(try await place.run("token").status == 2)
    try place.makeProfile("work", "default = true")
    #expect(try await place.run("token").status == 0)
    #expect(try await place.run("call", "me").status == 0)
  }

  @Test("two profiles with the URL's origin are ambiguous")
  func sameOrigin() async throws {
    let place = try await Workplace.loggedIn()
    try place.makeProfile("zoo")
    let outcome = try await place.run("call", place.lab.origin + "/api/me")
    #expect(outcome.status == 2)
    #expect(outcome.error.contains("work, zoo"), "\(outcome.error)")
  }

  @Test("two profiles with default = true are an error that says so")
  func twoDefaults() async throws {
    let place = try await Workplace.loggedIn()
    try place.makeProfile("work", "default = true")
    try place.makeProfile("zoo", "default = true")
    let outcome = try await place.run("token")
    #expect(outcome.status == 2)
    #expect(
      outcome.error == """
        authctl: more than one profile matches: default = true is set in work, zoo
          add --profile NAME, set AUTHCTL_PROFILE, or remove default = true from all but one

        """)
  }

  @Test("token and exec take the profile as an argument")
  func operands() async throws {
    let place = try await Workplace.loggedIn()
    try place.makeProfile("zoo")
    let token = try #require(try place.pair().string("access_token"))
    #expect(try await place.run("token", "work").text == token + "\n")
    #expect(try await place.run("token", "zoo").status == 3)
    let replacement = FakeReplacement()
    let words = ["exec", "work", "--", "tool", "-p", "x"]
    _ = await place.run(words, at: try FakeConsole(), with: .init(replacement: replacement))
    #expect(replacement.words == ["tool", "-p", "x"] && replacement.variables == ["AUTHCTL_TOKEN": token])
  }
}
