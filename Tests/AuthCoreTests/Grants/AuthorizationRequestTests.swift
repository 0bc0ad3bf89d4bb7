import Foundation
import Synchronization
import Testing

@testable import AuthCore

@Suite("AuthorizationRequest")
struct AuthorizationRequestTests {
  /// Gives `r1`, `r2`, … in turn.
  private func counter() -> RandomText {
    let count = Mutex(0)
    return {
      count.withLock { count in
        count += 1
        return "r\(count)"
      }
    }
  }

  private func fields(_ profile: Profile, endpoint: String = "https://id.example/authorize") throws -> [String] {
    let request = AuthorizationRequest(
      profile, endpoint: try WebURL(endpoint), redirectURI: "http://127.0.0.1:4711/callback", random: counter())
    return FormEncoding.decode(try #require(request.url.query)).map { "\($0.name)=\($0.value)" }
  }

  @Test("the request has all that RFC 6749, section 4.1.1 and RFC 7636, section 4.3 ask for, and always a nonce")
  func plain() throws {
    #expect(
      try fields(try sampleProfile())
        == [
          "response_type=code", "client_id=cli", "redirect_uri=http://127.0.0.1:4711/callback", "state=r1", "nonce=r2",
          "code_challenge=\(PKCE(codeVerifier: "r3").codeChallenge)", "code_challenge_method=S256",
        ])
  }

  @Test("scope, audience, resources (RFC 8707, section 2) and the profile's own parameters are added")
  func rich() throws {
    let profile = try sampleProfile {
      $0.scope = ["openid", "a&b"]
      $0.audience = "https://api.example"
      $0.resource = ["https://one", "https://two"]
      $0.parameters.authorization = ["prompt": "consent", "a": "1"]
      $0.parameters.token = ["never": "here"]
    }
    let fields = try fields(profile)
    #expect(fields.contains("scope=openid a&b"))
    #expect(
      fields.suffix(5)
        == ["audience=https://api.example", "resource=https://one", "resource=https://two", "a=1", "prompt=consent"])
  }

  @Test("a query of the endpoint stays (RFC 6749, section 3.1)")
  func query() throws {
    #expect(try fields(try sampleProfile(), endpoint: "https://id.example/authorize?tenant=t").first == "tenant=t")
  }
}
