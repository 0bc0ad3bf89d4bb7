import Foundation
import TestSupport
import Testing

@Suite("GivenTokenRun") struct GivenTokenRunTests {
  /// What the fourth kind returns for a registration.
  private func registered(_ lab: LabServer) async throws -> (text: String, token: String) {
    let response = try await lab.send(
      "POST", "/kind4/register", headers: [(name: "Content-Type", value: "application/json")],
      body: Data(#"{"name":"Ada","email":"ada@x.example","password":"pw"}"#.utf8))
    let token = try JSONObject(response.body).object("token").string("accessToken")
    return (response.text, try #require(token))
  }

  @Test("a profile with [requests.refresh] alone takes the JSON that [response] describes, and refreshes")
  func json() async throws {
    let place = try Workplace()
    try place.write(
      """
      type = "custom"
      base = "\(place.lab.origin)/kind4"
      api = ["\(place.lab.origin)/kind4"]
      refresh_token_lifetime = "1h"
      [requests.refresh]
      url = "/refresh"
      json = { refreshToken = "{refresh_token}" }
      [response]
      access_token = "/token/accessToken"
      refresh_token = "/token/refreshToken"
      subject = "/user/email"
      """)
    let outcome = try await place.run(["login", "work"], input: .text(registered(place.lab).text))
    try #require(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.error.contains("logged in to work as ada@x.example"), "\(outcome.error)")
    let status = try await JSONObject.array(place.run("status", "--json").output)[0]
    #expect((3500...3600).contains(status.integer("refresh_expires_in") ?? 0))
    try await place.lab.expireAccessTokens()
    let call = try await place.run("call", "me")
    call.expect(0)
    #expect(try await place.lab.count("kind4.refresh.ok") == 1)
    #expect(try place.pair().string("flow") == "token")
  }

  @Test("a bare token, over a profile that has a request to log in by")
  func bare() async throws {
    let place = try Workplace(kind: .nested)
    let token = try await registered(place.lab).token
    let field = try await place.run(["login", "work", "--flow", "token", "--field", "name=x"], input: .text(token))
    field.expect(2)
    let outcome = try await place.run(["login", "work", "--flow", "token"], input: .text(token + "\n"))
    outcome.expect(0)
    #expect(try await place.run("call", "me").json().string("name") == "Ada")
    let wrong = try await place.run(["login", "work", "--flow", "token"], input: .text(#"{"access_token":"x"}"#))
    wrong.expect(2, error: "/access_token (string)")
  }

  @Test("a profile of type basic takes what stands after Basic, of its own user only")
  func basic() async throws {
    let place = try Workplace()
    let api = "\(place.lab.origin)/kind2/basic"
    try place.write("type = \"basic\"\nusername = \"alice\"\napi = [\"\(api)\"]\n")
    let credentials = Data("alice:\(Workplace.password)".utf8).base64EncodedString()
    let outcome = try await place.run(["login", "work", "--flow", "token"], input: .text(credentials + "\n"))
    outcome.expect(0)
    #expect(try await place.run("call", "echo").status == 0)
    let other = Data("bob:x".utf8).base64EncodedString()
    for input in [other, "not Base64"] {
      #expect(try await place.run(["login", "work", "--flow", "token"], input: .text(input)).status == 2)
    }
    #expect(try place.stored(kind: "password") == Workplace.password)
  }
}
