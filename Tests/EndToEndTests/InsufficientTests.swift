import Foundation
import TestSupport
import Testing

@Suite("a token that is good but not enough, end to end")
struct InsufficientTests {
  @Test(
    "insufficient_scope: status 22, the body, no refresh, and the missing scope with the login that adds it",
    arguments: [(403, "full"), (401, "full"), (401, "lowercase"), (403, "no-space")])
  func scope(status: Int, form: String) throws {
    let place = try Workplace.loggedIn("refresh_on = [401, 403]")
    try place.lab.change(
      #"{"required_scope":"api write","insufficient_scope_status":\#(status),"challenge":"\#(form)"}"#)
    let outcome = try place.run("call", "me")
    outcome.expect(22)
    #expect(try outcome.json().string("error") == "insufficient_scope")
    #expect(
      outcome.error == """
        authctl: GET \(place.lab.origin)/api/me: the API returned \(status) \
        (insufficient_scope: The token's scope is too narrow.): the token lacks the scope write (granted: api)
          log in with it: authctl login work --scope 'api write'; for every login: scope in the profile's file

        """)
    #expect(try place.lab.count("token") == 0)
    #expect(try place.lab.count("api") == 1)
    let login = try place.follow(outcome.error, adding: "--password-stdin", input: .text(Workplace.password))
    login.expect(0)
    #expect(try place.run("call", "me").json().string("scope") == "api write")
    try place.lab.expireAccessTokens()
    #expect(try place.run("call", "me").json().string("scope") == "api write")
  }

  @Test("a step-up by its method: no refresh; the suggested login requests it, this once (RFC 9470)")
  func wayOfLogin() throws {
    let place = try Workplace()
    #expect(try place.run(place.browserLogin(), environment: place.browser()).status == 0)
    let file = try Data(contentsOf: place.file())
    try place.lab.change(#"{"required_acr":["urn:gold","urn:silver"]}"#)
    try place.lab.reset()
    let outcome = try place.run("call", "me")
    #expect(outcome.status == 22)
    #expect(outcome.error.contains("it requires that the person has logged in in the way urn:gold or urn:silver\n"))
    #expect(try place.lab.count("token") == 0)
    let login = try place.follow(outcome.error, environment: place.browser())
    login.expect(0)
    #expect(!login.error.contains("warning"), "\(login.error)")
    let request = try place.lab.lastRequests().last { $0.endpoint == "authorize" }
    #expect(request?.target.contains("acr_values=urn%3Agold+urn%3Asilver") == true, "\(request?.target ?? "")")
    #expect(try place.run("call", "me").status == 0)
    #expect(try Data(contentsOf: place.file()) == file)
  }

  @Test("a step-up by its age, with a profile that requests a method of its own")
  func age() throws {
    let place = try Workplace()
    try place.makeProfile(
      "work", "flow = \"browser\"\nscope = [\"openid\", \"api\"]",
      tables: "[parameters]\nauthorization = { max_age = \"7\", acr_values = \"own\" }\n")
    #expect(try place.run(["login", "work"], environment: place.browser()).status == 0)
    try place.lab.change(#"{"required_max_age":0}"#)
    let outcome = try place.run("call", "me")
    #expect(outcome.status == 22)
    #expect(outcome.error.contains("at most 0s ago"), "\(outcome.error)")
    #expect(try place.follow(outcome.error, environment: place.browser()).status == 0)
    let targets = try place.lab.lastRequests().filter { $0.endpoint == "authorize" }.map(\.target)
    #expect(targets.first?.contains("max_age=7") == true)
    #expect(targets.last?.contains("max_age=0") == true)
    #expect(targets.allSatisfy { $0.contains("acr_values=own") })
  }

  @Test("--acr-values and --max-age go along in the device flow and in pushed requests, once each")
  func otherRequests() throws {
    let place = try Workplace()
    try place.lab.change(#"{"par":"required","device_interval":0}"#)
    let options = ["--acr-values", " gold  silver ", "--max-age", "5m"]
    #expect(try place.run(place.browserLogin(options), environment: place.browser()).status == 0)
    let run = try place.start(
      ["login", "work", "--flow", "device", "--scope", "api"] + options, environment: place.browser())
    try run.waitUntilError(contains: "?user_code=")
    try place.lab.decideDevices(#"{"decision":"allow"}"#)
    #expect(try run.wait().status == 0)
    for endpoint in ["par", "device_authorization"] {
      let form = try #require(try place.lab.lastRequests().last { $0.endpoint == endpoint }?.form)
      #expect(form.contains("acr_values=gold+silver"), "\(form)")
      #expect(form.contains("max_age=300"), "\(form)")
    }
    #expect(try String(contentsOf: place.file(), encoding: .utf8).contains("acr_values") == false)
  }
}
