import Foundation
import TestSupport
import Testing

@testable import AuthCore

/// Ten causes of a failure, and the commands until one names it: the first that a person runs, and what it advises.
@Suite("The cause of a failure is named after at most one step") struct CauseRunTests {
  /// What has gone wrong.
  enum Cause: String, CaseIterable {
    case audience, clock, deadRefreshToken, noRefreshToken, scope, stepUp, tokenEndpoint, redirectURI, proxy, damaged
  }

  private static let proxy = ["http_proxy": "http://user:pw@proxy.example:3128"]

  /// The commands in order, and the words that name the cause.
  private func path(_ cause: Cause) -> (commands: [[String]], words: String) {
    let call = [["call", "-p", "work", "me"]]
    return switch cause {
    case .audience: (call, "the API returned 401 (invalid_token: The token is for another API.)")
    case .clock: ([["status", "work"]], "the local clock is 2h behind")
    case .deadRefreshToken: (call, "the server refuses the refresh token (400, invalid_grant")
    case .noRefreshToken: (call, "there is no refresh token")
    case .scope: (call, "the token lacks the scope write (granted: api)")
    case .stepUp: (call, "it requires that the person has logged in in the way gold")
    case .tokenEndpoint: (call, "/token returned 502")
    case .redirectURI:
      ([["doctor", "work"]], "the server does not accept the redirect URI http://127.0.0.1/callback of cli")
    case .proxy: (call, "connection refused, through the proxy http://proxy.example:3128 (http_proxy)")
    case .damaged: ([["status", "work"], ["inspect", "work"]], "it looks like a JWT, but can't be decoded")
    }
  }

  @Test("each of ten causes", arguments: Cause.allCases)
  func named(cause: Cause) async throws {
    let place = try await arranged(cause)
    let (commands, words) = path(cause)
    for (index, command) in commands.enumerated() {
      let outcome = try await place.run(command, environment: cause == .proxy ? Self.proxy : [:])
      let text = outcome.text + outcome.error
      guard index + 1 < commands.count else {
        #expect(text.contains(words), "\(text)")
        continue
      }
      #expect(text.contains("authctl " + commands[index + 1].joined(separator: " ")), "\(text)")
    }
    #expect(commands.count <= 2)
  }

  private func arranged(_ cause: Cause) async throws -> Workplace {
    switch cause {
    case .damaged: return try await damaged()
    case .clock: return try await late()
    case .redirectURI:
      let place = try Workplace()
      try place.makeProfile("work", "flow = \"browser\"")
      try await place.lab.change(#"{"redirect_uris":["https://app.example/callback"]}"#)
      return place
    case .noRefreshToken:
      let place = try Workplace()
      try await place.lab.change(#"{"refresh_token_for":"never"}"#)
      try place.makeProfile()
      try await place.logIn()
      try place.waitForExpiry()
      return place
    default:
      let place = try await Workplace.loggedIn(
        #"resource = ["https://api.example"]"#, tables: "[network]\ntimeout = \"2s\"\n")
      try await fail(place, cause)
      return place
    }
  }

  private func fail(_ place: Workplace, _ cause: Cause) async throws {
    switch cause {
    case .audience: try await place.lab.change(#"{"required_audience":"https://other.example"}"#)
    case .scope: try await place.lab.change(#"{"required_scope":"write"}"#)
    case .stepUp: try await place.lab.change(#"{"required_acr":["gold"]}"#)
    case .deadRefreshToken: try await place.lab.revokeAll()
    case .proxy: place.lab.stop()
    case .tokenEndpoint:
      try place.waitForExpiry()
      try await place.lab.fail(#"{"endpoint":"token","kind":"html","status":502}"#)
    default: break
    }
  }

  /// A workplace with a token of which the end was not copied.
  private func damaged() async throws -> Workplace {
    let place = try Workplace()
    let login = ["login", "work", "--flow", "token", "--client-id", "cli", "--api", place.lab.origin + "/api"]
    let token = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbGljZSIsImF1ZCI6Imh0dHBzOi8v"
    #expect(try await place.run(login, input: .text(token)).status == 0)
    #expect(try await place.run("call", "me").status == 3)
    return place
  }

  /// A workplace whose server's clock is two hours ahead.
  private func late() async throws -> Workplace {
    let place = try Workplace()
    let lab = try LabServer(["--access-lifetime", "600"]) { [clocks = place.clocks] in clocks.reading.time + 7200 }
    place.network.add(lab)
    try place.makeProfile("work", "issuer = \"\(lab.origin)\"\napi = [\"\(lab.origin)/api\"]")
    try await place.logIn()
    return place
  }
}
