import HTTPTypes
import Testing

@testable import AuthCore

@Suite("CustomServer: read from TOML")
struct CustomServerReadingTests {
  private static let top = "type = \"custom\"\nbase = \"https://id.example/v1\"\n"
  private static let login = "[requests.login]\nurl = \"/l\"\n"
  private static let response = "[response]\naccess_token = \"/a\"\n"

  private func why(_ text: String) throws -> String {
    let error = #expect(throws: AuthError.self) {
      try Profile(toml: text, file: "work.toml", name: #require(ProfileName("work")))
    }
    guard case .usage(let explanation) = error else { throw Unexpected(error) }
    #expect(!explanation.hint.isEmpty)
    return explanation.why + " | " + explanation.hint
  }

  @Test("the example of profile.md is read")
  func example() throws {
    let profile = try customProfile(
      "[requests.guest]\nurl = \"/auth/guest/register\"\nmultipart = { name = \"{name}\", image = \"@{image?}\" }\n",
      top: "refresh_before = \"120s\"\nrefresh_on = [401, 403]\nusername = \"alice\"")
    let server = try #require(profile.custom)
    #expect(profile.type == .custom && profile.refreshBefore == .seconds(120) && profile.refreshOn == [401, 403])
    #expect(profile.username == "alice" && profile.api.map(\.string) == ["https://api.example/"])
    #expect(server.flow == "login" && server.flows == ["guest", "login"])
    #expect(server.secrets == ["password"])
    #expect(server.origins == [try WebURL("https://id.example").origin])
    #expect(
      server.response.accessToken == ["/accessToken", "/data/accessToken", "/token/accessToken"].map(JSONPointer.init))
    #expect(server.response.refreshExpiresIn == [JSONPointer("/refreshTokenExpiresIn")])
    #expect(server.response.loginRequiredCodes == ["REFRESH_TOKEN_EXPIRED"])
    #expect(server.refresh?.placeholders.map(\.name) == ["refresh_token"])
    let guest = try #require(server.requests["guest"])
    #expect(guest.method == .post && guest.placeholders.map(\.name) == ["name", "image"])
    #expect(guest.placeholders.map(\.isFile) == [false, true])
  }

  @Test(
    "an error is reported with its place",
    arguments: [
      (
        top + "issuer = \"https://x\"\n" + login + response,
        "work.toml:3:1: 'issuer' is not a key of a profile of type"
      ),
      (top + "client_id = \"x\"\n" + login + response, "work.toml:3:1: 'client_id' is not a key"),
      (top + response, "there is no request to log in with"),
      (top + login, "'access_token' is missing in [response]"),
      (
        top + "flow = \"logni\"\n" + login + response,
        "work.toml:3:1: 'flow' is not a request of this profile | did you mean 'login'?"
      ),
      (
        top + login + "jsn = {}\n" + response,
        "work.toml:5:1: unknown key 'jsn' in [requests.login] | did you mean 'json'?"
      ),
      (top + login + "json = {}\nform = {}\n" + response, "work.toml:6:1: 'json' and 'form' are both given"),
      (top + "[requests.login]\n" + response, "work.toml:3:1: 'url' is missing"),
      (top + login + "method = \"post\"\n" + response, "work.toml:5:1: 'method' is not an HTTP method"),
      (top + login + "json = { a = \"{b\" }\n" + response, "work.toml:5:10: 'a' has a brace that is not part"),
      (
        top + login + "json = { a = 2020-01-01 }\n" + response,
        "work.toml:5:10: 'a' is a date, which JSON does not have | write it as a string"
      ),
      (
        top + login + "json = { a = \"{refresh_token}\" }\n" + response,
        "work.toml:3:1: '{refresh_token}' can't stand in [requests.login]"
      ),
      (
        top + login + "[requests.refresh]\nurl = \"/r\"\nform = { a = \"{pin}\" }\n" + response,
        "work.toml:5:1: '{pin}' can't stand in [requests.refresh]"
      ),
      (top + login + "headers = { Host = \"x\" }\n" + response, "work.toml:5:13: 'Host' can't be sent"),
      (
        top + login + "form = {}\nheaders = { Content-Type = \"x\" }\n" + response,
        "work.toml:6:1: 'Content-Type' is set by the body"
      ),
      (
        top + login + "multipart = { a = \"@{b}.png\" }\n" + response,
        "work.toml:5:15: 'a' must be one placeholder after the @"
      ),
      (
        top + login + "multipart = { a = { file = \"{b}\", fit = \"10\" } }\n" + response,
        "work.toml:5:35: 'fit' is not a size in pixels"
      ),
      (
        top + login + "multipart = { a = { file = \"{b}\", max_bytes = \"5XB\" } }\n" + response,
        "work.toml:5:35: 'max_bytes' is not a size"
      ),
      (
        top + login + "multipart = { a = { file = \"{b}\", fitt = \"1x1\" } }\n" + response,
        "work.toml:5:35: unknown key 'fitt' in [requests.login.multipart.a] | did you mean 'fit'?"
      ),
      (
        top + login + response + "acess_token = \"/b\"\n",
        "work.toml:7:1: unknown key 'acess_token' in [response] | did you mean 'access_token'?"
      ),
      (top + login + response + "expires_in = \"expiresIn\"\n", "work.toml:7:1: 'expires_in' is not a JSON Pointer"),
      (
        top + login + response + "login_required_codes = [\"X\"]\n",
        "work.toml:7:1: 'login_required_codes' needs 'error_code'"
      ),
      (
        top + "secrets = [\"pim\"]\n" + login + "form = { a = \"{pin}\" }\n" + response,
        "work.toml:3:1: 'pim' in 'secrets' is not a placeholder of a request | did you mean 'pin'?"
      ),
      ("type = \"custom\"\n" + login + response, "work.toml:3:1: 'url' has no scheme, and there is no base"),
      ("type = \"custom\"\nbase = \"http://id.example\"\n" + login + response, "work.toml:2:1: 'base' is plain http"),
      (
        "type = \"custom\"\nbase = \"https://id.example?x=1\"\n" + login + response, "work.toml:2:1: 'base' has a query"
      ),
      (
        top + "[requests.login]\nurl = \"https://evil.example/l\"\n" + response,
        "work.toml:4:1: 'url' leads to https://evil.example, which is not the origin of base"
      ),
      (top + "[requests.login]\nurl = \"https://{host}/l\"\n" + response, "work.toml:4:1: 'url' is not a usable URL"),
      (
        top + "[requests.login]\nurl = \"/a/{b?}\"\n" + response,
        "work.toml:4:1: 'url' has a value in its path that may be absent"
      ),
      (top + "[requests.login]\nurl = \"/a/../b\"\n" + response, "work.toml:4:1: 'url' is not a usable URL"),
      (top + "[requests.login]\nurl = \"/a#b\"\n" + response, "work.toml:4:1: 'url' has a fragment"),
      ("type = \"basic\"\napi = [\"https://a\"]", "'username' is missing"),
      ("type = \"basic\"\nusername = \"a\"", "'api' is missing"),
      ("type = \"basic\"\nusername = \"a:b\"\napi = [\"https://a\"]", "work.toml:2:1: 'username' contains a colon"),
      (
        "type = \"basic\"\nusername = \"a\"\napi = [\"https://a\"]\nrefresh_on = [401]",
        "work.toml:4:1: 'refresh_on' is not a key"
      ),
    ])
  func wrong(text: String, why: String) throws {
    #expect(try self.why(text).contains(why))
  }

  @Test("a profile with [requests.refresh] alone is complete: its tokens come from elsewhere")
  func refreshAlone() throws {
    let text = CustomServerReadingTests.top + "[requests.refresh]\nurl = \"/r\"\n" + CustomServerReadingTests.response
    let name = try #require(ProfileName("work"))
    let server = try #require(try Profile(toml: text, file: "f", name: name).custom)
    #expect(server.flow == "token" && server.takesTokens && server.flows.isEmpty)
    let stated = "flow = \"token\"\n"
    let both =
      CustomServerReadingTests.top + stated + CustomServerReadingTests.login + CustomServerReadingTests.response
    #expect(try Profile(toml: both, file: "f", name: name).custom?.takesTokens == true)
    let named = both.replacing("requests.login", with: "requests.token")
    #expect(try Profile(toml: named, file: "f", name: name).custom?.takesTokens == false)
  }

  @Test("an absolute url may lead to an origin that base or [endpoints] names")
  func endpoints() throws {
    let text =
      CustomServerReadingTests.top + "[endpoints]\nsso = \"https://sso.example/\"\n[requests.login]\n"
      + "url = \"https://sso.example/l?x={a}\"\n" + CustomServerReadingTests.response
    let profile = try Profile(toml: text, file: "f", name: #require(ProfileName("work")))
    #expect(profile.custom?.requests["login"]?.origin.string == "https://sso.example")
  }

  @Test("a profile of type basic has the header of RFC 7617 and nothing to refresh")
  func basic() throws {
    let text = "type = \"basic\"\nusername = \"alice\"\napi = [\"https://a\"]\ndefault = true"
    let profile = try Profile(toml: text, file: "f", name: #require(ProfileName("work")))
    #expect(profile.type == .basic && profile.username == "alice" && profile.isDefault)
    #expect(profile.header == TokenHeader(prefix: "Basic") && profile.refreshOn.isEmpty && profile.custom == nil)
  }
}
