import Foundation
import TestSupport
import Testing

@testable import AuthCore

@Suite("The last refusal of the API") struct RefusalRunTests {
  /// A workplace whose tokens are for one API.
  private func loggedIn() async throws -> Workplace {
    try await Workplace.loggedIn(#"resource = ["https://api.example"]"#)
  }

  /// A workplace whose API refuses every token, which a call has found.
  private func refused() async throws -> Workplace {
    let place = try await loggedIn()
    try await place.lab.change(#"{"required_audience":"https://other.example"}"#)
    let outcome = try await place.run("call", "me?secret=1")
    outcome.expect(22)
    place.clocks.pass(20)
    return place
  }

  private let words = "invalid_token: The token is for another API."

  @Test("status shows it until a call succeeds, with the command that explains it")
  func status() async throws {
    let place = try await refused()
    let line = "the API refused this token 20s ago (\(words)): authctl inspect work"
    let text = try await place.run("status").text
    #expect(text.hasPrefix("work: valid\n") && text.hasSuffix("  to do          \(line)\n"), "\(text)")
    let table = await place.run(
      ["status", "--color", "never"], at: try FakeConsole(isOutputTerminal: true, width: 200))
    #expect(table.text.hasSuffix("\nwork: \(line)\n"), "\(table.text)")
    let json = try await JSONObject.array(place.run("status", "--json").output)[0]
    #expect(json.string("access_token_refused_at") == "2026-01-02T03:04:05Z" && json.string("state") == "valid")
    // Neither a status nor another refusal changes it; a request that succeeds does.
    _ = try await place.run("call", "me")
    #expect(try await place.run("status").text.contains(line))
    try await place.lab.change(#"{"required_audience":""}"#)
    #expect(try await place.run("call", "me").status == 0)
    #expect(try await !place.run("status").text.contains("to do"))
    #expect(try await JSONObject.array(place.run("status", "--json").output)[0].isNull("access_token_refused_at"))
    // The session can refuse again.
    try await place.lab.change(#"{"required_audience":"https://other.example"}"#)
    _ = try await place.run("call", "me")
    #expect(try await place.run("status").text.contains("the API refused this token 0s ago"))
  }

  @Test("a call that succeeds writes nothing to the keyring if the API has refused nothing")
  func cost() async throws {
    let place = try await Workplace.loggedIn()
    let saves = place.secrets.saves
    #expect(try await place.run("call", "me").status == 0)
    #expect(place.secrets.saves == saves)
  }

  @Test("inspect says it in its first line, and never that there is no problem")
  func inspect() async throws {
    let place = try await refused()
    let text = try await place.run("inspect").text
    let message = "the API refused it 20s ago: 401 (\(words)), for GET /api/me"
    #expect(text.hasPrefix("work: access token: \(message)\n"), "\(text)")
    #expect(!text.contains("no problem found") && !text.contains("secret"))
    #expect(text.contains("\n    nothing in the token explains it: ask the API's operator; to replace it: "), "\(text)")
    let json = try await JSONValue(parsing: place.run("inspect", "--json").output)
    guard case .array(let tokens)? = json["tokens"], case .array(let findings)? = tokens.first?["findings"] else {
      throw SessionError("no findings")
    }
    #expect(findings.first?["claim"] == .string("api") && findings.first?["message"] == .string(message))
  }

  @Test("the brake after a second 401 names the request that has set it, and how to refresh")
  func brake() async throws {
    let place = try await refused()
    let first = try await loggedIn()
    try await first.lab.change(#"{"required_audience":"https://other.example"}"#)
    let words = "the token was refreshed and refused again; not refreshed"
    #expect(try await first.run("call", "me").error.contains(words))
    let outcome = try await place.run("call", "-X", "POST", "echo")
    #expect(outcome.status == 22)
    #expect(
      outcome.error.contains(
        "the token was refreshed for GET /api/me and refused again; not refreshed for 4m 40s"), "\(outcome.error)")
    #expect(outcome.error.contains("; to refresh it now: authctl refresh work\n"), "\(outcome.error)")
    #expect(try await place.lab.count("token.refresh_token") == 1)
  }

  @Test("without a refresh token: the API's words and status are in the error, in status and in inspect")
  func bare() async throws {
    let place = try Workplace()
    let login = ["login", "bare", "--flow", "token", "--client-id", "cli", "--api", place.lab.origin + "/api"]
    #expect(try await place.run(login, input: .text("opaque")).status == 0)
    let outcome = try await place.run("call", "me")
    #expect(outcome.status == 3 && outcome.text.isEmpty)
    #expect(
      outcome.error.contains(
        "there is no refresh token; the API returned 401 (invalid_token: The access token is not known.)\n"),
      "\(outcome.error)")
    let status = try await place.run("status").text
    #expect(status.hasPrefix("bare: login required\n"), "\(status)")
    #expect(status.contains("the API refused this token 0s ago (invalid_token: The access token is not known.): "))
    #expect(try await place.run("status", "--require", "0s", "-q").status == 3)
    #expect(try await place.run("inspect", "--offline").text.hasPrefix("bare: access token: the API refused it 0s ago"))
  }

  @Test("the words of an API without a challenge are those of its body")
  func bodyWords() async throws {
    let place = try Workplace()
    let origin = "http://127.0.0.1:2"
    place.network.add(origin) { _ in
      "HTTP/1.1 401 No\nContent-Type: application/json\nContent-Length: 43\n\n"
        + #"{"code":"E17","message":"opaque is unknown"}"#
    }
    let login = ["login", "bare", "--flow", "token", "--client-id", "cli", "--api", origin]
    #expect(try await place.run(login, input: .text("opaque-token")).status == 0)
    let outcome = try await place.run("call", origin + "/x")
    #expect(outcome.status == 3)
    #expect(outcome.error.contains("; the API returned 401 (E17: opaque is unknown)\n"), "\(outcome.error)")
  }

  @Test("a refresh that failed for now stands in status with its reason, until one succeeds")
  func failedRefresh() async throws {
    let place = try await Workplace.loggedIn()
    try await place.lab.fail(#"{"endpoint":"token","kind":"retry_after","milliseconds":600000}"#)
    #expect(try await place.run("refresh", "work").status == 5)
    let text = try await place.run("status").text
    let line = /to do +the last refresh failed \d+s ago \(.*429.*\): authctl doctor work\n/
    #expect(text.firstMatch(of: line) != nil, "\(text)")
    let json = try await JSONObject.array(place.run("status", "--json").output)[0]
    #expect(json.string("last_error") == "try_later" && json.string("state") == "valid")
    #expect(json.string("last_error_description")?.contains("429") == true, "\(json)")
    try await place.lab.clearFaults()
    #expect(try await place.passwordLogin().status == 0)
    #expect(try await !place.run("status").text.contains("to do"))
    #expect(try await JSONObject.array(place.run("status", "--json").output)[0].isNull("last_error"))
  }
}
