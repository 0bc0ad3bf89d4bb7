import Foundation
import TestSupport
import Testing

@Suite("status and token, end to end")
struct StatusTests {
  @Test("--json has the stable keys, no token, and no request is made")
  func json() throws {
    let place = try Workplace.loggedIn()
    let outcome = try place.run("status", "--json")
    #expect(outcome.status == 0)
    let status = try #require(try JSONObject.array(outcome.output).first)
    #expect(
      status.keys == [
        "access_token_refused_at", "clock_offset", "dpop_jkt", "expires_at", "expires_in", "issuer", "last_error",
        "last_error_description", "last_refresh", "outdated", "profile", "proxies", "refresh",
        "refresh_expires_at", "refresh_expires_in", "rescued", "scope", "state", "store", "subject", "token_type",
        "type",
      ])
    #expect(status.string("profile") == "work")
    #expect(status.string("type") == "oauth2")
    #expect(status.string("issuer") == place.lab.origin)
    #expect(status.string("state") == "valid")
    #expect((540...600).contains(try #require(status.integer("expires_in"))))
    #expect(status.string("scope") == "api")
    #expect(status.string("store") == "keyring")
    #expect(status.isNull("last_error") && status.isNull("refresh_expires_at") && status.isNull("clock_offset"))
    let pair = try place.pair()
    for key in ["access_token", "refresh_token"] {
      #expect(!(outcome.text + outcome.error).contains(try #require(pair.string(key))))
    }
    #expect(try place.lab.lastRequests().isEmpty)
  }

  @Test("token prints a valid token, or the header line, refreshed if too little validity remains")
  func token() throws {
    let place = try Workplace.loggedIn()
    let old = try #require(try place.pair().string("access_token"))
    #expect(try place.run("token").text == old + "\n")
    #expect(try place.run("token", "--header").text == "Authorization: Bearer \(old)\n")
    #expect(try place.lab.count("token") == 0)
    try place.lab.change(#"{"access_lifetime":3600}"#)
    let refreshed = try place.run("token", "--min-validity", "20m")
    #expect(refreshed.status == 0)
    #expect(refreshed.text != old + "\n")
    #expect(refreshed.text == (try #require(try place.pair().string("access_token"))) + "\n")
    #expect(try place.lab.count("token.refresh_token.ok") == 1)
    let given = try place.run("token", "--header", environment: ["AUTHCTL_ACCESS_TOKEN": "mine"])
    #expect(given.text == "Authorization: Bearer mine\n")
  }
}
