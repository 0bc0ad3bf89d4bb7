import Foundation
import TestSupport
import Testing

@Suite("HomeRun") struct HomeRunTests {
  @Test(
    "a user without a home, who names no folders: status 2 with both ways out",
    arguments: [
      [:], ["XDG_CONFIG_HOME": "/c"], ["XDG_STATE_HOME": "/s"], ["XDG_CONFIG_HOME": "c", "XDG_STATE_HOME": "/s"],
    ])
  func none(folders: [String: String]) async throws {
    let place = try Workplace()
    let environment = ["HOME": "", "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": ""].merging(folders) { $1 }
    let outcome = try await place.run(["status"], environment: environment)
    #expect(outcome.status == 2)
    #expect(outcome.error.contains("HOME is not set, and this user has no entry in the password database"))
    #expect(outcome.error.contains("set HOME, or set XDG_CONFIG_HOME and XDG_STATE_HOME"), "\(outcome.error)")
    #expect(try await place.run(["--version"], environment: environment).status == 0)
  }

  @Test("with both folders, no home is needed")
  func folders() async throws {
    let place = try await Workplace.loggedIn()
    let outcome = try await place.run(["call", "me"], environment: ["HOME": ""])
    outcome.expect(0)
  }
}
