import HTTPTypes
import Testing

@testable import AuthCore

@Suite("IssuerDiscovery")
struct IssuerDiscoveryTests {
  private static let oauth = "https://id.example/.well-known/oauth-authorization-server"
  private static let openID = "/.well-known/openid-configuration"

  private func find(_ steps: [ScriptedTransport.Step], _ url: String) async throws -> DiscoveredServer {
    try await IssuerDiscovery(WebURL(url), connection: connection(Self.transport(steps))).find()
  }

  /// A server that returns 404 where the script has nothing.
  private static func transport(_ steps: [ScriptedTransport.Step]) -> ScriptedTransport {
    ScriptedTransport(steps + (0..<20).map { _ in .response(404) })
  }

  private func failure(_ steps: [ScriptedTransport.Step], _ url: String) async throws -> DiscoveryFailure {
    do {
      _ = try await find(steps, url)
    } catch let failure as DiscoveryFailure {
      return failure
    }
    throw Unexpected("a server")
  }

  private static func document(_ issuer: String, _ more: String = "") -> String {
    #"{"issuer":"\#(issuer)","token_endpoint":"https://id.example/t"\#(more)}"#
  }

  @Test(
    "the issuer is the one that the server publishes, whatever slash was typed",
    arguments: [
      ("https://id.example", "https://id.example"), ("https://id.example/", "https://id.example"),
      ("https://id.example", "https://id.example/"), ("https://ID.example:443/", "https://id.example"),
    ])
  func slash(url: String, issuer: String) async throws {
    let found = try await find([.response(200, Self.document(issuer), at: Self.oauth)], url)
    #expect(found.issuer == issuer && found.metadata.issuer == issuer)
    #expect(found.isOAuth && !found.isOpenID)
  }

  @Test("two documents with different slashes are not of one server: that of RFC 8414 counts")
  func twoDocuments() async throws {
    let found = try await find(
      [
        .response(200, Self.document("https://id.example/", #","scopes_supported":["a"]"#), at: Self.oauth),
        .response(
          200, Self.document("https://id.example", #","scopes_supported":["b"]"#),
          at: "https://id.example" + Self.openID),
      ], "https://id.example")
    #expect(found.issuer == "https://id.example/" && found.scopesSupported == ["a"] && !found.isOpenID)
  }

  @Test("a page below the issuer leads to it: each folder above is tried, both ways to write the well-known URL")
  func page() async throws {
    let realm = "https://id.example/realms/x"
    let transport = Self.transport([
      .response(200, Self.document(realm, #","scopes_supported":["openid"]"#), at: realm + Self.openID)
    ])
    let found = try await IssuerDiscovery(WebURL(realm + "/account/"), connection: connection(transport)).find()
    #expect(found.issuer == realm && found.isOpenID && !found.isOAuth && found.scopesSupported == ["openid"])
    #expect(
      Set(transport.requests.map(\.url)) == [
        Self.oauth + "/realms/x/account", realm + "/account" + Self.openID, Self.oauth + "/realms/x",
        realm + Self.openID,
      ])
    #expect(transport.requests.allSatisfy { $0.method == .get && $0.fields[.authorization] == nil })
  }

  @Test("of a deep page, the nearest seven folders and the root are tried")
  func bounded() async throws {
    let transport = ScriptedTransport((0..<100).map { _ in .response(404) })
    let path = (0..<40).map { "/\($0)" }.joined()
    _ = try? await IssuerDiscovery(WebURL("https://id.example" + path), connection: connection(transport)).find()
    #expect(transport.requests.count == 16)
    #expect(transport.requests.contains { $0.url == Self.oauth })
  }

  @Test(
    "metadata of another issuer is not used, and the issuer that it names is told",
    arguments: ["https://evil.example", "https://id.example/main", "https://id.example/{tenant}/v2.0", "urn:x"])
  func other(issuer: String) async throws {
    let failure = try await failure([.response(200, Self.document(issuer), at: Self.oauth)], "https://id.example")
    #expect(failure.misses.map(\.otherIssuer) == [issuer, nil] && !failure.isFinal)
  }

  @Test(
    "an endpoint that is not secure ends the search: the server is the right one, and must not be used",
    arguments: ["http://id.example/t", "https://127.0.0.1/t", "http://[::1]:8/t", "https://u@id.example/t"])
  func unsafe(endpoint: String) async throws {
    let document = #"{"issuer":"https://id.example/a","token_endpoint":"\#(endpoint)"}"#
    let failure = try await failure([.response(200, document, at: Self.oauth + "/a")], "https://id.example/a")
    #expect(failure.isFinal && failure.misses.count == 2)
    #expect(failure.misses[0].reason.hasPrefix("its token_endpoint is not usable: "))
  }

  @Test("a redirect is followed on the same origin only; a host that can't be reached ends the search")
  func ends() async throws {
    let found = try await find(
      [
        .response(301, fields: [.location: "/meta.json"], at: Self.oauth),
        .response(200, Self.document("https://id.example"), at: "https://id.example/meta.json"),
      ], "https://id.example")
    #expect(found.issuer == "https://id.example")
    let away = try await failure(
      [.response(302, fields: [.location: "https://evil.example/meta.json"], at: Self.oauth)], "https://id.example")
    #expect(away.misses[0].redirect?.origin.host == "evil.example")
    let transport = ScriptedTransport([.failure(.unresolved(host: "id.example", detail: "x"))])
    _ = try? await IssuerDiscovery(WebURL("https://id.example/a/b"), connection: connection(transport)).find()
    #expect(transport.requests.count == 2)
  }
}
