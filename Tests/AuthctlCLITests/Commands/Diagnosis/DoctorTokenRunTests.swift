import Foundation
import TestSupport
import Testing

@Suite("doctor sends the token once") struct DoctorTokenRunTests {
  private func api(_ place: Workplace, check: String = "api") async throws -> JSONObject {
    let rows = try await JSONObject.array(place.run(["doctor", "work", "--json"]).output)
    return try #require(rows.first { $0.string("check") == check })
  }

  private func loggedIn(lab settings: String = "{}") async throws -> Workplace {
    let place = try Workplace()
    try await place.lab.change(settings)
    try place.makeProfile(
      "work", "api = [\"\(place.lab.origin)/api/me\"]\nresource = [\"https://api.example\"]")
    try await place.logIn()
    try await place.lab.reset()
    return place
  }

  @Test("a token that the API accepts: one GET with it, and one without")
  func accepted() async throws {
    let place = try await loggedIn()
    let row = try await api(place)
    #expect(row.string("level") == "ok")
    #expect(
      row.string("message") == "\(place.lab.origin)/api/me asks for Bearer, and accepts the token (200)", "\(row)")
    let requests = try await place.lab.lastRequests().filter { $0.target == "/api/me" }
    #expect(requests.count == 2 && requests.allSatisfy { $0.method == "GET" })
    #expect(try await place.lab.count("api.ok") == 1)
  }

  @Test("a token that the API refuses is an error with the challenge; nothing is refreshed or remembered")
  func refused() async throws {
    let place = try await loggedIn()
    try await place.lab.change(#"{"required_audience":"https://other.example"}"#)
    let before = try place.stored()
    let row = try await api(place)
    #expect(row.string("level") == "error" && row.integer("exit") == 22)
    #expect(
      row.string("message") == "\(place.lab.origin)/api/me refuses the access token: it returned 401 "
        + "(invalid_token: The token is for another API.)")
    #expect(
      row.string("hint") == "compare it with the profile: authctl inspect work; to replace it: authctl refresh work")
    #expect(try place.stored() == before)
    #expect(try await place.lab.count("token.refresh_token") == 0)
    #expect(try await place.lab.count("api") == 2)
  }

  @Test("without a refresh token the status is that of the call")
  func unrefreshable() async throws {
    let place = try await loggedIn(lab: #"{"refresh_token_for":"never"}"#)
    try await place.lab.revokeAll()
    let row = try await api(place)
    #expect(row.integer("exit") == 3 && row.string("hint")?.hasSuffix("then run: authctl login work") == true, "\(row)")
    #expect(try await place.run("call", place.lab.origin + "/api/me").status == 3)
  }

  @Test("403 with a challenge: what the token lacks, and the login that helps")
  func insufficient() async throws {
    let place = try await loggedIn()
    try await place.lab.change(#"{"required_scope":"write"}"#)
    let row = try await api(place, check: "scope")
    #expect(row.string("level") == "warning")
    #expect(
      row.string("message")?.contains(
        "returned 403 (insufficient_scope: The token's scope is too narrow.) with the token: the token lacks the scope "
          + "write") == true, "\(row)")
    #expect(row.string("hint")?.contains("authctl login work --scope 'api write'") == true, "\(row)")
  }

  @Test("--offline sends nothing; an expired token is not sent; no redirect is followed")
  func limits() async throws {
    let place = try await loggedIn()
    let sent = place.network.sent
    _ = try await place.run("doctor", "work", "--offline")
    #expect(place.network.sent == sent)
    try place.waitForExpiry()
    _ = try await place.run("doctor", "work")
    #expect(try await place.lab.lastRequests().count { $0.target == "/api/me" } == 1)
    let other = try await loggedIn()
    let target = try place.otherLab()
    try other.makeProfile(
      "work", "api = [\"\(other.lab.origin)/api/redirect?to=\(target.origin)/api/me\"]")
    let row = try await api(other)
    #expect(row.string("message")?.hasSuffix(", and accepts the token (302)") == true, "\(row)")
    #expect(try await target.lastRequests().isEmpty)
  }
}
