import AuthCore
import Foundation
import TestSupport
import Testing

@Suite("TokenRun") struct TokenRunTests {
  @Test("token of a profile that is logged out prints nothing: status 3")
  func noToken() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let outcome = try await place.run("token")
    #expect(outcome.status == 3)
    #expect(outcome.text.isEmpty)
  }

  @Test("the token alone goes to standard output, or the header line with --header")
  func output() async throws {
    let place = try await Workplace.loggedIn()
    let token = try #require(try place.pair().string("access_token"))
    let plain = try await place.run("token")
    #expect(plain.status == 0 && plain.text == token + "\n" && plain.error.isEmpty)
    #expect(try await place.run("token", "--header").text == "Authorization: Bearer \(token)\n")
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  @Test("a token with too little validity left is refreshed")
  func minValidity() async throws {
    let place = try await Workplace.loggedIn()
    let old = try place.pair().string("access_token")
    place.clocks.pass(301)
    let outcome = try await place.run("token", "--min-validity", "5m")
    let new = try #require(try place.pair().string("access_token"))
    #expect(outcome.text == new + "\n" && new != old)
    #expect(try await place.lab.count("token.refresh_token.ok") == 1)
  }

  @Test(
    "a keyring that fails: status 4 and no output",
    arguments: [StorageFault.noBus, .noService, .locked, .timedOut, .refused, .promptDismissed])
  func keyring(fault: StorageFault) async throws {
    let place = try Workplace(.failing(fault))
    try place.makeProfile()
    let outcome = try await place.run("token")
    #expect(outcome.status == 4 && outcome.output.isEmpty)
    #expect(outcome.error.contains("it is \(fault.rawValue)"), "\(outcome.error)")
  }

  @Test(
    "a keyring without a collection: not logged in, which is no failure of the keyring",
    arguments: [
      (["token"], 3), (["call", "me"], 3), (["refresh", "work"], 3), (["status"], 0), (["logout"], 0),
      (["refresh", "--all"], 0), (["profile", "remove", "work"], 0),
    ] as [([String], Int32)])
  func noCollection(command: [String], status: Int32) async throws {
    let place = try Workplace(.failing(.noCollection))
    try place.makeProfile()
    let outcome = try await place.run(command)
    #expect(outcome.status == status, "\(outcome.text)\(outcome.error)")
    let said = outcome.text + outcome.error
    #expect(said.contains(/logged.out|not logged in|nothing|removed/) && !said.contains("no_collection"), "\(said)")
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  @Test("a keyring without a collection: a login that may not prompt ends with 4, and sends nothing")
  func noCollectionLogin() async throws {
    let place = try Workplace(.failing(.noCollection))
    try place.makeProfile()
    let outcome = try await place.run(["login", "work", "--password-stdin"], input: .text(Workplace.password))
    outcome.expect(4, error: "it is no_collection")
    #expect(try await place.lab.lastRequests().isEmpty)
  }
}
