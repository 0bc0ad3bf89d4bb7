import Foundation
import TestSupport
import Testing

@Suite("login URL, end to end")
struct DiscoverTests {
  private func place(_ settings: String = "") throws -> Workplace {
    let place = try Workplace()
    try place.lab.change(#"{"resource_metadata":true\#(settings)}"#)
    return place
  }

  private func login(_ place: Workplace, _ more: [String] = [], url: String? = nil) throws -> Outcome {
    let options = ["--flow", "password", "--username", "alice", "--password-stdin"]
    return try place.run(
      ["login", url ?? place.lab.origin + "/api", "-p", "work"] + options + more,
      input: .text(Workplace.password))
  }

  private func profile(_ place: Workplace) throws -> String { try String(contentsOf: place.file(), encoding: .utf8) }

  @Test("the API's own hint leads to its metadata, and that to a profile that works (RFC 9728, section 5)")
  func challenged() throws {
    let place = try place(#","required_scope":"api""#)
    try place.lab.change(#"{"resource_metadata_url":"\#(place.lab.origin)/resource-metadata"}"#)
    let outcome = try login(place, ["--client-id", "cli"])
    try #require(outcome.status == 0, "\(outcome.error)")
    let origin = place.lab.origin
    #expect(outcome.error.hasPrefix("API          \(origin)/api"), "\(outcome.error)")
    #expect(outcome.error.hasSuffix("Next: authctl call \(origin)/api\n"), "\(outcome.error)")
    #expect(
      try profile(place) == """
        # Created by the first login to work. Edit it freely: it is never rewritten.
        # Found from \(origin)/api at \(origin)/resource-metadata.
        # Further scopes of the API: openid profile email read write offline_access

        issuer = "\(origin)"
        client_id = "cli"
        flow = "password"
        scope = ["openid", "offline_access", "api"]
        api = ["\(origin)/api"]
        resource = ["\(origin)/api"]
        username = "alice"

        """)
    let requests = try place.lab.lastRequests()
    #expect(requests.prefix(2).map(\.target) == ["/api", "/resource-metadata"])
    #expect(requests.prefix(2).allSatisfy { $0.header("authorization") == nil })
    #expect(requests.contains { $0.form?.contains("resource=http%3A%2F%2F127.0.0.1") == true })
    #expect(try place.run("call", "me").json().string("sub") == "alice")
  }

  @Test("no challenge: the well-known place; a browser login without a scope, with a message")
  func wellKnown() throws {
    let place = try place()
    let outcome = try place.run(
      ["login", place.lab.origin + "/api", "-p", "work", "--client-id", "cli"], environment: place.browser())
    outcome.expect(0, error: "Scopes       openid offline_access profile email api read write\n")
    let targets = try place.lab.lastRequests().map(\.target)
    #expect(targets.prefix(2) == ["/api", "/.well-known/oauth-protected-resource/api"])
    #expect(targets.contains { $0.contains("resource=http%3A%2F%2F127.0.0.1") })
    #expect(try place.run("call", "me").status == 0)
  }
}
