import Foundation
import TestSupport
import Testing

@Suite("BindingRun") struct BindingRunTests {
  /// The `[endpoints]` of a profile that names no issuer.
  private func endpoints(_ lab: LabServer) -> String {
    "[endpoints]\ntoken = \"\(lab.origin)/token\"\nrevocation = \"\(lab.origin)/revoke\"\n"
  }

  /// Logs in with a profile without an issuer.
  private func placeWithoutIssuer() async throws -> Workplace {
    let place = try Workplace()
    try place.makeProfile("work", tables: endpoints(place.lab))
    try dropIssuer(place)
    try await place.logIn()
    try await place.lab.reset()
    return place
  }

  private func dropIssuer(_ place: Workplace) throws {
    let text = try String(contentsOf: place.file(), encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("issuer") }
    try Data(lines.joined(separator: "\n").utf8).write(to: place.file())
  }

  /// Edits the profile so that it describes another server.
  private func move(_ place: Workplace, to other: LabServer) throws {
    try place.makeProfile("work", tables: endpoints(other))
    try dropIssuer(place)
  }

  @Test(
    "[endpoints] edited to another server: a logout, one of all too, revokes at the old one", arguments: [true, false])
  func logoutAfterEdit(all: Bool) async throws {
    let place = try await placeWithoutIssuer()
    let other = try place.otherLab()
    try move(place, to: other)
    let outcome = try await place.run(["logout"] + (all ? ["--all"] : ["work"]))
    outcome.expect(0)
    #expect(try await place.lab.count("revoke.ok") == 2)
    #expect(try await other.lastRequests().isEmpty)
    #expect(try place.stored() == nil)
  }

  @Test("[endpoints] edited to another server: a login revokes the old tokens at the old one")
  func loginAfterEdit() async throws {
    let place = try await placeWithoutIssuer()
    let other = try place.otherLab()
    try move(place, to: other)
    try await place.logIn()
    #expect(try await place.lab.count("revoke.ok") == 2)
    #expect(try await other.lastRequests().map(\.target) == ["/token"])
    #expect(try await place.run("refresh", "work").status == 0)
  }

  @Test("a changed token endpoint under the same issuer gets no refresh token")
  func editedTokenEndpoint() async throws {
    let place = try await Workplace.loggedIn()
    let other = try place.otherLab()
    try place.makeProfile("work", tables: "[endpoints]\ntoken = \"\(other.origin)/token\"\n")
    #expect(try await place.run("refresh", "work").status == 3)
    #expect(try await place.run("logout", "work").status == 0)
    #expect(try await place.lab.count("revoke.ok") == 2)
    #expect(try await other.lastRequests().isEmpty)
  }

  @Test("a scope that the file asks for and the session does not have is a remark of status, no more")
  func scope() async throws {
    let place = try await Workplace.loggedIn()
    try place.makeProfile("work", "scope = [\"api\", \"write\"]")
    let status = try await JSONObject.array(place.run("status", "--json").output)[0]
    #expect(status.string("state") == "valid")
    #expect(try await place.run("status").text.contains("a scope that the session does not have: write"))
    #expect(try await place.run("call", "me").status == 0)
  }
}
