import Foundation
import TestSupport
import Testing

/// `login NAME --discover URL`, the older way to write `login URL -p NAME`.
@Suite("DiscoverRun") struct DiscoverRunTests {
  private func place(_ settings: String = "") async throws -> Workplace {
    let place = try Workplace()
    try await place.lab.change(#"{"resource_metadata":true\#(settings)}"#)
    return place
  }

  private func login(_ place: Workplace, _ more: [String] = [], url: String? = nil) async throws -> Outcome {
    let options = ["--flow", "password", "--username", "alice", "--password-stdin", "--client-id", "cli"]
    return try await place.run(
      ["login", "work", "--discover", url ?? place.lab.origin + "/api"] + options + more,
      input: .text(Workplace.password))
  }

  private func profile(_ place: Workplace) throws -> String { try String(contentsOf: place.file(), encoding: .utf8) }

  @Test("options override what is discovered")
  func given() async throws {
    let place = try await place(
      #","required_scope":"api","resource_members":"{\"dpop_bound_access_tokens_required\":true}""#)
    try await place.lab.change(#"{"resource_metadata_url":"\#(place.lab.origin)/resource-metadata"}"#)
    let more = ["--scope", "read", "--api", place.lab.origin, "--resource", "urn:x"]
    let outcome = try await login(place, more)
    outcome.expect(0)
    let text = try profile(place)
    for line in ["scope = [\"read\"]", "api = [\"\(place.lab.origin)\"]", "resource = [\"urn:x\"]", "dpop = true"] {
      #expect(text.contains("\n\(line)\n"), "\(line) in \(text)")
    }
    #expect(outcome.error.contains("Scopes       read\n"), "\(outcome.error)")
    #expect(try place.pair().string("token_type") == "DPoP")
  }

  @Test("a profile that exists and is for the URL is used; one for another URL is not, and nothing is sent")
  func existing() async throws {
    let place = try await place()
    #expect(try await login(place).status == 0)
    let again = try await place.run(
      ["login", "work", "--discover", place.lab.origin + "/api/me", "--password-stdin"],
      input: .text(Workplace.password))
    again.expect(0, error: "Profile      work")
    try await place.lab.reset()
    let other = try await login(place, url: "https://other.example/api")
    #expect(other.status == 2)
    #expect(other.error.contains("profile work: it exists already, for \(place.lab.origin)/api"), "\(other.error)")
    #expect(other.error.contains("authctl login https://other.example/api -p NAME\n"), "\(other.error)")
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  @Test("without a name the profile is named after the host")
  func nameless() async throws {
    let place = try await place()
    let outcome = try await place.run(
      ["login", "--discover", place.lab.origin + "/api", "--client-id", "cli"], browser: place.browser())
    outcome.expect(0)
    let name = AddressRunTests.name(place.lab)
    #expect(try place.stored(name) != nil)
  }

  @Test("call suggests a login by URL if an API that is called without a token names its metadata")
  func toldByChallenge() async throws {
    let place = try await place()
    let url = place.lab.origin + "/api/me"
    #expect(try await place.run("call", "--no-auth", url).error.contains("authctl login") == false)
    try await place.lab.change(#"{"resource_metadata_url":"\#(place.lab.origin)/resource-metadata"}"#)
    let outcome = try await place.run("call", "--no-auth", url)
    #expect(outcome.status == 22)
    #expect(outcome.error.contains("authctl login \(url)\n"), "\(outcome.error)")
  }
}
