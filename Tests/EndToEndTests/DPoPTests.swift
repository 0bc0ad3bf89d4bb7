import Foundation
import TestSupport
import Testing

@Suite("DPoP (RFC 9449), end to end")
struct DPoPTests {
  private static func place(_ settings: String = "{}", _ more: String = "") throws -> Workplace {
    let place = try Workplace()
    try place.lab.change(settings)
    try place.makeProfile("work", "dpop = true\n" + more)
    return place
  }

  @Test("login, call, 401, refresh, replay, logout, against servers that require nonces and exact clocks")
  func life() throws {
    let place = try Self.place(
      #"{"dpop_token_nonce":true,"dpop_api_nonce":true,"dpop_tolerance":0,"dpop_bare_challenge":true}"#)
    try place.logIn()
    #expect(try place.lab.count("token.password.use_dpop_nonce") == 1)
    #expect(try place.lab.count("token.password.ok") == 1)
    let first = try place.pair()
    let thumbprint = try #require(first.string("dpop_jkt"))
    #expect(first.string("token_type") == "DPoP")
    let key = try JSONObject(Data(try #require(try place.stored(kind: "dpop-key")).utf8))
    #expect(key.keys == ["crv", "d", "kty", "x", "y"])

    try place.lab.reset()
    let call = try place.run("call", "-v", "me")
    #expect(try call.json().string("sub") == "alice")
    #expect(try place.lab.count("api.use_dpop_nonce") == 1)
    #expect(try place.lab.count("token") == 0)
    #expect(!call.error.contains("eyJ"), "\(call.error)")
    #expect(call.error.contains("DPoP: ‹redacted") && call.error.contains("Authorization: DPoP ‹redacted"))

    try place.lab.expireAccessTokens()
    let replayed = try place.run("call", "-d", "a=b", "echo")
    #expect(try replayed.json().string("body") == "a=b", "\(replayed.error)")
    #expect(try place.lab.count("token.refresh_token.ok") == 1)
    let second = try place.pair()
    #expect(second.string("access_token") != first.string("access_token"))
    #expect(second.string("dpop_jkt") == thumbprint)

    let status = try JSONObject.array(place.run("status", "--json").output)[0]
    #expect(status.string("dpop_jkt") == thumbprint)
    #expect(status.string("token_type") == "DPoP")
    let shown = try place.run("status").text
    #expect(shown.contains("token type") && shown.contains(thumbprint))

    #expect(try place.run("logout").status == 0)
    #expect(try place.stored(kind: "dpop-key") == nil)
    #expect(try place.stored() == nil)
  }

  @Test("a nonce that may be used three times, and 50 processes: all succeed, without a refresh (real-servers.md, 24)")
  func contendedCalls() throws {
    let place = try Self.place(#"{"dpop_api_nonce":true,"dpop_nonce_uses":3}"#)
    try place.logIn()
    try place.lab.reset()
    let runs = try (0..<50).map { _ in try place.start(["call", "me"]) }
    let failed = try runs.map { try $0.wait() }.filter { $0.status != 0 }
    #expect(failed.isEmpty, "\(failed.map(\.error))")
    #expect(try place.lab.count("token") == 0)
    #expect(try place.lab.count("api.use_dpop_nonce") >= 50)
  }

  @Test("the token endpoint, too: the refreshes of 15 sessions at once (real-servers.md, 24)")
  func contendedRefreshes() throws {
    let place = try Self.place(#"{"dpop_token_nonce":true,"dpop_nonce_uses":3}"#)
    let names = (1...15).map { "work\($0)" }
    for name in names {
      try place.makeProfile(name, "dpop = true")
      try place.logIn(name)
    }
    try place.lab.reset()
    let runs = try names.map { try place.start(["refresh", $0]) }
    let failed = try runs.map { try $0.wait() }.filter { $0.status != 0 }
    #expect(failed.isEmpty, "\(failed.map(\.error))")
    #expect(try place.lab.count("token.refresh_token.ok") == 15)
  }

  @Test("--dpop of a first login is written to the profile; the code is bound to the key")
  func browser() throws {
    let place = try Workplace()
    let outcome = try place.run(place.browserLogin(["--dpop"]), environment: place.browser())
    try #require(outcome.status == 0, "\(outcome.error)")
    #expect(try String(contentsOf: place.file(), encoding: .utf8).contains("dpop = true"))
    let query = try #require(try place.lab.lastRequests().first { $0.endpoint == "authorize" }?.target)
    #expect(query.contains("dpop_jkt=\(try #require(try place.pair().string("dpop_jkt")))"))
    #expect(try place.run("call", "me").status == 0)
  }

  @Test("the bound token is worth nothing without the key")
  func stolen() throws {
    let place = try Self.place()
    try place.logIn()
    let token = try #require(try place.pair().string("access_token"))
    for scheme in ["Bearer", "DPoP"] {
      let response = try place.lab.send(
        "GET", "/api/me", headers: [(name: "Authorization", value: "\(scheme) \(token)")])
      #expect(response.status == 401)
    }
    let refresh = try #require(try place.pair().string("refresh_token"))
    let form = [(name: "grant_type", value: "refresh_token"), (name: "refresh_token", value: refresh)]
    #expect(try place.lab.post("/token", form: form + [(name: "client_id", value: "cli")]).status == 400)
  }

  @Test("a key that has gone from the keyring: log in again, status 3, and nothing is sent")
  func keyLost() throws {
    let place = try Self.place()
    try place.logIn()
    try place.lab.reset()
    _ = try place.session.run(
      "secret-tool", ["clear", "application", "authctl", "profile", "work", "kind", "dpop-key"])
    for command in [["call", "me"], ["refresh"]] {
      let outcome = try place.run(command)
      outcome.expect(3, error: "authctl login work")
    }
    #expect(try place.lab.lastRequests().isEmpty)
    try place.logIn()
    #expect(try place.run("call", "me").status == 0)
  }

  @Test("client credentials are bound too, and asked for again with the same key")
  func clientCredentials() throws {
    let place = try Self.place(
      "{}", "flow = \"client-credentials\"\nclient_id = \"svc\"\nclient_authentication = \"client_secret_basic\"")
    let outcome = try place.run(["login", "work", "--client-secret-stdin"], input: .text("svc-secret"))
    try #require(outcome.status == 0, "\(outcome.error)")
    try place.lab.expireAccessTokens()
    let call = try place.run("call", "me")
    call.expect(0)
  }
}
