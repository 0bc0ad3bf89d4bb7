import Foundation
import TestSupport
import Testing

@Suite("AssertionGrantRun") struct AssertionGrantRunTests {
  @Test(
    "options that contradict each other or the flow: status 2, nothing is sent",
    arguments: [
      (["--flow", "token-exchange"], "--subject-token-stdin"),
      (["--flow", "token-exchange", "--subject-token-stdin", "--subject-token-type", "saml"], "saml1"),
      (["--flow", "token-exchange", "--subject-token-stdin", "--actor-token-type", "jwt"], "--actor-token-file"),
      (["--flow", "token-exchange", "--subject-token-stdin", "--assertion-file", "/x"], "jwt-bearer"),
      (["--flow", "jwt-bearer", "--assertion-stdin", "--assertion-file", "/x"], "--assertion-file"),
      (["--flow", "jwt-bearer", "--assertion-stdin", "--client-key-stdin"], "--client-key-stdin"),
      (["--flow", "password", "--subject-token-stdin"], "token-exchange"),
      (["--flow", "browser", "--assertion-stdin"], "jwt-bearer"),
    ])
  func contradictions(options: [String], word: String) async throws {
    let place = try Workplace()
    try place.makeProfile()
    let outcome = try await place.run(["login", "work"] + options, input: .text("x"))
    outcome.expect(2)
    #expect(outcome.error.contains(word), "\(outcome.error)")
    #expect(try await place.lab.count("token") == 0)
  }
}
