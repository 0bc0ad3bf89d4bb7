import AuthCore
import Testing

@testable import AuthctlCLI

@Suite("GatewayAllowance") struct GatewayAllowanceTests {
  @Test(
    "a method and a pattern of the path",
    arguments: [
      ("GET /v1/*", "GET", "/v1/a", true), ("GET /v1/*", "GET", "/v1/", true), ("GET /v1/*", "GET", "/v1/a/b", false),
      ("GET /v1/*", "HEAD", "/v1/a", false), ("GET /v1/*", "get", "/v1/a", false), ("GET /v1/*", "GET", "/v2/a", false),
      ("* /v1/a", "DELETE", "/v1/a", true), ("* /v1/a", "GET", "/v1/a/", false), ("* /v1/a", "GET", "/V1/a", false),
      ("GET /v1/**", "GET", "/v1/a/b/c", true), ("GET /v1/**", "GET", "/v1", true),
      ("GET /v1/**", "GET", "/v1x", false),
      ("GET /**/end", "GET", "/a/b/end", true), ("GET /**/end", "GET", "/end", true),
      ("GET /**/end", "GET", "/a/end/b", false), ("GET /a*b*c", "GET", "/a-b-c", true),
      ("GET /a*b*c", "GET", "/a-c-b", false), ("GET /a*a", "GET", "/a", false), ("GET /", "GET", "/", true),
      // Never by another spelling of what is allowed.
      ("GET /v1/*", "GET", "/%761/a", false), ("GET /v1/*", "GET", "/v1/a%2Fb", false),
      ("GET /v1/**", "GET", "/v1/a%2fb", false), ("GET /v1/**", "GET", "/v1/a%5Cb", false),
    ])
  func permits(pattern: String, method: String, path: String, passes: Bool) throws {
    #expect(try GatewayAllowance(pattern).permits(method, path) == passes)
  }

  @Test("what is no pattern", arguments: ["", "GET", "GET x", "/x", "GET /x y", "g /x", "GET /x?y", "GET /%2e"])
  func invalid(text: String) {
    #expect(throws: AuthError.self) { try GatewayAllowance(text) }
  }
}
