import Foundation
import Testing

@testable import AuthCore

@Suite("Profile+Reading")
struct ProfileReadingTests {
  private static let minimum = "issuer = \"https://id.example\"\nclient_id = \"cli\"\n"

  private func profile(_ text: String) throws -> Profile {
    try Profile(toml: ProfileReadingTests.minimum + text, file: "work.toml", name: #require(ProfileName("work")))
  }

  @Test("how the client signs is read")
  func settings() throws {
    let profile = try profile(
      """
      client_authentication = "private_key_jwt"
      assertion_key = "/k.pem"
      assertion_key_id = "k1"
      assertion_algorithm = "PS256"
      assertion_audience = "https://id.example/token"
      [parameters]
      assertion = { scope = "a", iss = "me" }
      """)
    #expect(profile.clientAuthentication == .privateKeyJWT)
    #expect(profile.assertion.key == "/k.pem")
    #expect(profile.assertion.keyID == "k1")
    #expect(profile.assertion.algorithm == .ps256)
    #expect(profile.assertion.audience == "https://id.example/token")
    #expect(profile.parameters.assertion == ["scope": "a", "iss": "me"])
  }

  @Test(
    "a value that would fail only at the server is refused with its place",
    arguments: [
      ("assertion_algorithm = \"ES257\"", "3:1: 'assertion_algorithm' can't be 'ES257'"),
      (
        "assertion_algorithm = \"HS256\"\nclient_authentication = \"private_key_jwt\"",
        "3:1: private_key_jwt can't sign with HS256"
      ),
      (
        "client_authentication = \"client_secret_jwt\"\nassertion_algorithm = \"ES256\"",
        "4:1: client_secret_jwt can't sign with ES256"
      ),
      (
        "client_authentication = \"tls_client_auth\"",
        "3:1: tls_client_auth needs 'client_certificate' in [network]"
      ),
      (
        "client_authentication = \"tls_client_auth\"\n[network]\nclient_certificate = \"/c.pem\"",
        "4:1: tls_client_auth needs 'client_key' in [network]"
      ),
      (
        "client_secret_file = \"/s\"\nclient_authentication = \"private_key_jwt\"",
        "3:1: client_authentication = \"private_key_jwt\" uses no client secret"
      ),
      (
        "flow = \"browser\"\nstore = \"none\"",
        "4:1: store = \"none\" needs a flow that can be repeated without a person, not browser"
      ),
      (
        "flow = \"client-credentials\"\nclient_authentication = \"client_secret_basic\"\nstore = \"none\"",
        "5:1: store = \"none\" needs 'client_secret_file': no secret is stored"
      ),
      (
        "flow = \"client-credentials\"\nclient_authentication = \"private_key_jwt\"\nstore = \"none\"",
        "5:1: store = \"none\" needs 'assertion_key': no key is stored"
      ),
      ("flow = \"jwt-bearer\"\nstore = \"none\"", "4:1: store = \"none\" needs 'assertion_key': no key is stored"),
      ("assertion_key = \"credential:a/b\"", "3:1: 'assertion_key' is neither a path nor a credential"),
      ("resource = [\"api\"]", "3:1: 'resource' has 'api', which is not an absolute URI without a fragment"),
      (
        "resource = [\"https://a#b\"]",
        "3:1: 'resource' has 'https://a#b', which is not an absolute URI without a fragment"
      ),
      (
        "[parameters]\nauthorization = { redirect_uri = \"x\" }",
        "4:19: 'redirect_uri' can't be set in [parameters] authorization"
      ),
      (
        "[parameters.authorization]\nprompt = \"login\"\nstate = \"x\"",
        "5:1: 'state' can't be set in [parameters] authorization"
      ),
      (
        "[parameters]\ntoken = { client_secret = \"x\" }",
        "4:11: 'client_secret' can't be set in [parameters] token"
      ),
      (
        "[parameters.refresh]\nrefresh_token = \"x\"",
        "4:1: 'refresh_token' can't be set in [parameters] refresh"
      ),
      (
        "[parameters.assertion]\nexp = \"1\"",
        "4:1: 'exp' can't be set in [parameters] assertion"
      ),
      (
        "scope = [\"a\"]\n[parameters.authorization]\nscope = \"b\"",
        "5:1: 'scope' of [parameters] authorization is set already, by the key 'scope'"
      ),
      (
        "audience = \"a\"\n[parameters.token]\naudience = \"b\"",
        "5:1: 'audience' of [parameters] token is set already, by the key 'audience'"
      ),
      (
        "resource = \"https://a\"\n[parameters.refresh]\nresource = \"https://b\"",
        "5:1: 'resource' of [parameters] refresh is set already, by the key 'resource'"
      ),
    ])
  func refused(text: String, why: String) throws {
    let error = try #require(throws: AuthError.self) { try profile(text) }
    guard case .usage(let explanation) = error else { throw Unexpected(error) }
    #expect(explanation.why == "work.toml:" + why)
    #expect(!explanation.hint.isEmpty)
  }

  @Test("parameters of a server beyond our own are read")
  func taken() throws {
    let profile = try profile(
      """
      [parameters]
      authorization = { prompt = "login", login_hint = "a", acr_values = "x", max_age = "0", scope = "a" }
      token = { audience = "a", scope = "b" }
      refresh = { scope = "c", audience = "d" }
      """)
    #expect(
      profile.parameters.authorization
        == ["prompt": "login", "login_hint": "a", "acr_values": "x", "max_age": "0", "scope": "a"])
    #expect(profile.parameters.token == ["audience": "a", "scope": "b"])
    #expect(profile.parameters.refresh == ["scope": "c", "audience": "d"])
  }

  @Test("the client-credentials flow accepts a client with a key or a certificate", arguments: [true, false])
  func clientCredentials(key: Bool) throws {
    let client =
      key
      ? "client_authentication = \"private_key_jwt\"\n"
      : "client_authentication = \"tls_client_auth\"\n[network]\nclient_certificate = \"/c\"\nclient_key = \"/k\"\n"
    let profile = try profile("flow = \"client-credentials\"\n" + client)
    #expect(profile.flow == .clientCredentials)
    #expect(profile.clientAuthentication == (key ? .privateKeyJWT : .tls))
  }
}
