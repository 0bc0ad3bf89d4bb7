import Foundation
import HTTPTypes
import Testing

@testable import AuthCore

@Suite("Profile+TOML")
struct ProfileTOMLTests {
  private static let minimum = "issuer = \"https://id.example\"\nclient_id = \"cli\"\n"

  private func profile(_ text: String) throws -> Profile {
    try Profile(toml: text, file: "work.toml", name: #require(ProfileName("work")))
  }

  /// Why and hint of the error of a text that must not be taken.
  private func error(_ text: String) throws -> (why: String, hint: String) {
    do {
      _ = try profile(text)
    } catch let error as AuthError {
      guard case .usage(let explanation) = error else { throw Unexpected(error) }
      #expect(explanation.what == "profile work")
      return (explanation.why, explanation.hint)
    }
    throw Unexpected("it was taken")
  }

  @Test("an empty pushed_authorization_request switches it off")
  func pushedAuthorizationRequest() throws {
    let minimum = ProfileTOMLTests.minimum + "[endpoints]\n"
    #expect(try profile(minimum).endpoints.pushesAuthorizationRequests)
    let profile = try profile(minimum + "pushed_authorization_request = \"\"")
    #expect(!profile.endpoints.pushesAuthorizationRequests)
    #expect(profile.endpoints.pushedAuthorizationRequest == nil)
  }

  @Test("the least that is needed has the defaults of profile.md")
  func defaults() throws {
    let profile = try profile(ProfileTOMLTests.minimum)
    var expected = Profile(name: profile.name, clientID: "cli")
    expected.issuer = "https://id.example"
    #expect(profile == expected)
    #expect(profile.flow == .browser)
    #expect(profile.clientAuthentication == .none)
    #expect(profile.basicEncoding == .percent)
    #expect(profile.redirectURI == [.standard])
    #expect(profile.refreshBefore == .seconds(60))
    #expect(profile.refreshTokenMargin == .zero)
    #expect(profile.accessTokenLifetime == nil)
    #expect(profile.refreshOn == [401])
    #expect(profile.header == TokenHeader(name: .authorization, prefix: "Bearer"))
    #expect(!profile.isDefault)
  }

  @Test("every key of profile.md is read")
  func everything() throws {
    let profile = try profile(
      """
      type = "oauth2"
      issuer = "https://id.example"
      client_id = "cli"
      flow = "password"
      scope = ["openid", "offline_access"]
      api = ["https://api.example/v1", "http://127.0.0.1:8080"]
      audience = "aud"
      resource = ["https://r1", "https://r2"]
      client_authentication = "client_secret_basic"
      dpop = true
      username = "alice"
      redirect_uri = ["http://localhost:8085/cb", "http://127.0.0.1/callback"]
      basic_encoding = "form"
      default = true
      refresh_before = "120s"
      refresh_token_margin = "1h"
      refresh_token_lifetime = "30d"
      access_token_lifetime = 3600
      refresh_on = [401, 403]
      [header]
      name = "X-Auth-Token"
      prefix = ""
      [endpoints]
      authorization = "https://id.example/a"
      token = "https://id.example/t"
      device_authorization = "https://id.example/d"
      revocation = "https://id.example/r"
      introspection = "https://id.example/i"
      userinfo = "https://id.example/u"
      pushed_authorization_request = "https://id.example/p"
      jwks = "https://id.example/j"
      [parameters]
      authorization = { prompt = "consent" }
      token = {}
      refresh = { x = "1" }
      [network]
      cacert = "/ca.pem"
      proxy = "http://proxy:3128"
      client_certificate = "/c.pem"
      client_key = "/k.pem"
      connect_timeout = "10s"
      timeout = "30s"
      [on]
      login_required = "notify-send x"
      """)
    var expected = Profile(name: profile.name, clientID: "cli")
    expected.issuer = "https://id.example"
    expected.flow = .password
    expected.isFlowStated = true
    expected.scope = ["openid", "offline_access"]
    expected.api = [try WebURL("https://api.example/v1"), try WebURL("http://127.0.0.1:8080")]
    expected.audience = "aud"
    expected.resource = ["https://r1", "https://r2"]
    expected.clientAuthentication = .basic
    expected.dpop = true
    expected.username = "alice"
    expected.redirectURI = [try RedirectURI("http://localhost:8085/cb"), .standard]
    expected.basicEncoding = .form
    expected.isDefault = true
    expected.refreshBefore = .seconds(120)
    expected.refreshTokenMargin = .seconds(3600)
    expected.refreshTokenLifetime = .seconds(30 * 86400)
    expected.accessTokenLifetime = .seconds(3600)
    expected.refreshOn = [401, 403]
    expected.header = TokenHeader(name: try #require(HTTPField.Name("X-Auth-Token")), prefix: "")
    expected.isHeaderStated = true
    expected.endpoints.authorization = try WebURL("https://id.example/a")
    expected.endpoints.token = try WebURL("https://id.example/t")
    expected.endpoints.deviceAuthorization = try WebURL("https://id.example/d")
    expected.endpoints.revocation = try WebURL("https://id.example/r")
    expected.endpoints.introspection = try WebURL("https://id.example/i")
    expected.endpoints.userinfo = try WebURL("https://id.example/u")
    expected.endpoints.pushedAuthorizationRequest = try WebURL("https://id.example/p")
    expected.endpoints.jwks = try WebURL("https://id.example/j")
    expected.parameters.authorization = ["prompt": "consent"]
    expected.parameters.refresh = ["x": "1"]
    expected.network = NetworkOptions(
      cacert: "/ca.pem", proxy: "http://proxy:3128", clientCertificate: "/c.pem", clientKey: "/k.pem",
      connectTimeout: .seconds(10), timeout: .seconds(30))
    expected.onLoginRequired = "notify-send x"
    #expect(profile == expected)
  }

  @Test(
    "an unknown key is an error with its place and the nearest known one",
    arguments: [
      ("isuer = 1", "work.toml:3:1: unknown key 'isuer'", "did you mean 'issuer'? "),
      ("  scopes = []", "work.toml:3:3: unknown key 'scopes'", "did you mean 'scope'? "),
      ("zzzzzzzz = 1", "work.toml:3:1: unknown key 'zzzzzzzz'", "known here: "),
      ("[header]\n\n prefx = \"\"", "work.toml:5:2: unknown key 'prefx' in [header]", "did you mean 'prefix'? "),
      ("[endpoints]\ntokn = \"x\"", "work.toml:4:1: unknown key 'tokn' in [endpoints]", "did you mean 'token'? "),
      ("[network]\ncacrt = \"x\"", "work.toml:4:1: unknown key 'cacrt' in [network]", "did you mean 'cacert'? "),
      (
        "[parameters]\nrefrsh = {}", "work.toml:4:1: unknown key 'refrsh' in [parameters]", "did you mean 'refresh'? "
      ),
      ("[on]\nlogin = \"x\"", "work.toml:4:1: unknown key 'login' in [on]", "known here: "),
      ("[headr]\nname = \"x\"", "work.toml:3:1: unknown key 'headr'", "did you mean 'header'? "),
    ])
  func unknown(text: String, why: String, hint: String) throws {
    let error = try error(ProfileTOMLTests.minimum + text)
    #expect(error.why == why)
    #expect(error.hint.hasPrefix(hint))
    #expect(error.hint.contains("known here: "))
  }

  @Test("the place is right in a file with line ends of two characters")
  func lineEnds() throws {
    let text = (ProfileTOMLTests.minimum + "isuer = 1\n").replacing("\n", with: "\r\n")
    #expect(try error(text).why == "work.toml:3:1: unknown key 'isuer'")
  }

  @Test(
    "a value of the wrong type or form is an error with its place",
    arguments: [
      ("scope = 1", "3:1: 'scope' must be an array of strings"),
      ("scope = [1]", "3:1: 'scope' must be an array of strings"),
      ("audience = true", "3:1: 'audience' must be a string"),
      ("default = \"yes\"", "3:1: 'default' must be true or false"),
      ("refresh_before = \"soon\"", "3:1: 'refresh_before' must be a duration"),
      ("refresh_before = -1", "3:1: 'refresh_before' must be a duration"),
      ("refresh_before = [1]", "3:1: 'refresh_before' must be a duration"),
      ("refresh_on = 401", "3:1: 'refresh_on' must be an array of HTTP statuses from 400 to 599"),
      ("refresh_on = [200]", "3:1: 'refresh_on' must be an array of HTTP statuses from 400 to 599"),
      ("header = 1", "3:1: 'header' must be a table"),
      ("[header]\nname = \"a b\"", "4:1: 'name' is not the name of a header field"),
      ("[header]\nprefix = \"a\\nb\"", "4:1: 'prefix' contains a control character"),
      ("[parameters]\ntoken = { a = 1 }", "4:11: 'a' must be a string"),
      ("audience = 1979-05-27", "3:1: 'audience' must be a string"),
      ("[network]\ntimeout = \"x\"", "4:1: 'timeout' must be a duration"),
      ("flow = \"browsr\"", "3:1: 'flow' can't be 'browsr'"),
      ("type = \"soap\"", "3:1: 'type' can't be 'soap'"),
      ("client_authentication = \"secret\"", "3:1: 'client_authentication' can't be 'secret'"),
      ("basic_encoding = \"utf8\"", "3:1: 'basic_encoding' can't be 'utf8'"),
      (
        "redirect_uri = \"http://example.com/\"",
        "3:1: 'redirect_uri' can't be used: it is not http://127.0.0.1, http://localhost or http://[::1]"
      ),
      ("redirect_uri = []", "3:1: 'redirect_uri' is empty"),
      ("flow = \"client-credentials\"", "the client-credentials flow needs a client with a secret or a key"),
    ])
  func illTyped(text: String, why: String) throws {
    let shown = try error(ProfileTOMLTests.minimum + text).why
    #expect(shown == "work.toml:" + why || shown == "work.toml: " + why)
  }

  @Test("the nearest word of a choice is named")
  func nearestChoice() throws {
    let hint = try error(ProfileTOMLTests.minimum + "flow = \"browsr\"").hint
    let known = Flow.allCases.map(\.rawValue).joined(separator: ", ")
    #expect(hint == "did you mean 'browser'? known: \(known)")
  }

  @Test(
    "plain http is for this machine only (invariant 9)",
    arguments: [
      ("issuer = \"http://id.example\"\nclient_id = \"c\"", "1:1: 'issuer'"),
      (minimum + "api = [\"https://a\", \"http://b\"]", "3:1: 'api'"),
      (minimum + "[endpoints]\ntoken = \"http://id.example/t\"", "4:1: 'token'"),
      (minimum + "[endpoints]\nrevocation = \"http://id.example/t\"", "4:1: 'revocation'"),
      (minimum + "[endpoints]\njwks = \"http://id.example/t\"", "4:1: 'jwks'"),
      (minimum + "endpoints.authorization = \"http://id.example/t\"", "3:1: 'authorization'"),
    ])
  func plainHTTP(text: String, place: String) throws {
    let error = try error(text)
    #expect(error.why == "work.toml:\(place) is plain http: tokens would cross the network unencrypted")
    #expect(error.hint == "use https (http is for 127.0.0.1, [::1] and localhost only)")
  }

  @Test("an unusable URL is refused with its reason")
  func badURL() throws {
    #expect(
      try error(ProfileTOMLTests.minimum + "api = \"https://u@a/\"").why
        == "work.toml:3:1: 'api' is not a usable URL: it contains user information (…@)")
  }

  @Test(
    "a missing key is named",
    arguments: [
      ("endpoints.token = \"https://id.example/token\"", "'client_id' is missing"),
      ("issuer = \"https://id.example\"\nclient_authentication = \"client_secret_post\"", "'client_id' is missing"),
      ("client_id = \"c\"", "'issuer' is missing, and [endpoints] has no 'token'"),
      (
        "client_id = \"c\"\n[endpoints]\ntoken = \"https://a/t\"",
        "the browser flow needs 'issuer', or 'authorization' in [endpoints]"
      ),
    ])
  func missing(text: String, why: String) throws {
    #expect(try error(text).why.hasSuffix(": \(why)"))
  }

  @Test("a profile with an issuer needs no client ID: the login chooses the client")
  func clientOfTheLogin() throws {
    let profile = try profile("issuer = \"https://id.example\"")
    #expect(profile.clientID.isEmpty)
    #expect(profile.lacksClient)
  }

  @Test("tokens that were got elsewhere need neither client nor server")
  func tokenFlow() throws {
    #expect(try profile("flow = \"token\"\napi = \"https://a\"").issuer == nil)
  }

  @Test("text that is not TOML is an error with its place")
  func syntax() throws {
    #expect(try error("issuer = \"https://a\"\nclient_id = ").why == "work.toml:2:13: a value is missing")
  }
}
