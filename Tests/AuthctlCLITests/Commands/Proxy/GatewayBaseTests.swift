import AuthCore
import HTTPTypes
import Testing

@testable import AuthctlCLI

@Suite("GatewayBase") struct GatewayBaseTests {
  private let base: GatewayBase

  init() throws { base = GatewayBase(url: try WebURL("https://api.example/v1/")) }

  @Test(
    "the bytes of a target are kept",
    arguments: ["/", "/a//b", "/a%20b?x=%2e%2e/..&y", "//host/x", "/a;b", "/%25%32e", "/...", "/.a/b.", "/?", "/a?b#"])
  func kept(target: String) throws {
    guard !target.contains("#") else {
      #expect(throws: GatewayBase.Refusal.self) { try base.url(for: target) }
      return
    }
    #expect(try base.url(for: target).string == "https://api.example/v1" + target)
  }

  @Test("an empty path is the address itself")
  func itself() throws {
    #expect(try base.url(for: "").string == "https://api.example/v1/")
    #expect(try base.url(for: "?a").string == "https://api.example/v1/?a")
    #expect(try GatewayBase(url: WebURL("https://api.example/mcp")).url(for: "").string == "https://api.example/mcp")
  }

  @Test(
    "nothing leads out of the base",
    arguments: [
      "/..", "/../x", "/a/../../x", "/.", "/a/.", "/%2e%2e/x", "/.%2E/x", "/%2E./x", "/a/%2e", "/..%2fx", "/a%2f..%2fb",
      "/..%5cx", "/a\\..\\x", "/..;x/y", "/%2e%2e;a=b/c", "/..%3b/c", "http://evil.example/x", "evil", "*",
    ])
  func refused(target: String) {
    #expect(throws: GatewayBase.Refusal.self) { try base.url(for: target) }
  }

  @Test(
    "addresses of the API below the base are the proxy's",
    arguments: [
      ("https://api.example/v1/a?b", "/a?b"), ("https://API.example:443/v1/a", "/a"),
      ("https://api.example/v1/a#c", "/a#c"), ("https://api.example/v1", ""), ("https://api.example/v1?x", "?x"),
      ("https://api.example/v12", nil), ("https://api.example/v2/a", nil), ("a", nil), ("", nil),
      ("https://other.example/v1/a", nil), ("http://api.example/v1/a", nil),
    ] as [(String, String?)])
  func rest(reference: String, rest: String?) {
    #expect(base.rest(of: reference).map { String($0) } == rest)
  }
}
