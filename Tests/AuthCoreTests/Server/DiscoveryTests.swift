import HTTPTypes
import TestSupport
import Testing

@testable import AuthCore

@Suite("Discovery")
struct DiscoveryTests {
  private static let oauth = "https://id.example/.well-known/oauth-authorization-server"
  private static let openID = "https://id.example/.well-known/openid-configuration"

  private func metadata(_ steps: [ScriptedTransport.Step], issuer: String = "https://id.example")
    async throws(AuthError)
    -> ServerMetadata
  {
    try await Discovery(issuer: issuer, connection: connection(ScriptedTransport(steps))).metadata()
  }

  private func error(_ steps: [ScriptedTransport.Step]) async -> AuthError? {
    do throws(AuthError) {
      _ = try await metadata(steps)
      return nil
    } catch {
      return error
    }
  }

  @Test("both documents are read and merged, that of RFC 8414 first (real-servers.md, 19)")
  func merged() async throws {
    let found = try await metadata([
      .response(
        200,
        #"{"issuer":"https://id.example","token_endpoint":"https://id.example/t1","#
          + #""revocation_endpoint":"https://id.example/r"}"#, at: DiscoveryTests.oauth),
      .response(
        200,
        #"{"issuer":"https://id.example","token_endpoint":"https://id.example/t2","#
          + #""authorization_endpoint":"https://other.example/a","grant_types_supported":["implicit"],"#
          + #""authorization_response_iss_parameter_supported":true,"#
          + #""token_endpoint_auth_methods_supported":["none"]}"#, at: DiscoveryTests.openID),
    ])
    #expect(found.issuer == "https://id.example")
    #expect(found.tokenEndpoint?.string == "https://id.example/t1")
    #expect(found.revocationEndpoint?.string == "https://id.example/r")
    #expect(found.authorizationEndpoint?.string == "https://other.example/a")
    #expect(found.authorizationResponseIssParameterSupported == true)
    #expect(found.tokenEndpointAuthMethodsSupported == ["none"])
  }

  @Test(
    "the well-known part goes before an issuer's path in RFC 8414, section 3.1, after it in OpenID Connect",
    arguments: [
      ("https://id.example", "", ""), ("https://id.example/", "", ""), ("https://id.example/a/b", "/a/b", "/a/b"),
      ("https://id.example/a/", "/a", "/a"),
    ])
  func places(issuer: String, after: String, before: String) async throws {
    let transport = ScriptedTransport()
    _ = try? await Discovery(issuer: issuer, connection: connection(transport)).metadata()
    #expect(
      Set(transport.requests.map(\.url)) == [
        "https://id.example/.well-known/oauth-authorization-server\(after)",
        "https://id.example\(before)/.well-known/openid-configuration",
      ])
  }

  private static let good = #"{"issuer":"https://id.example","token_endpoint":"https://id.example/t"}"#

  @Test(
    "one usable document is enough, whatever the other place says",
    arguments: [
      .response(404), .response(500), .response(200, "<html></html>"), .failure(.timedOut(detail: "slow")),
      .response(200, #"{"issuer":"https://evil.example","token_endpoint":"https://evil.example/t"}"#),
      .response(200, #"{"issuer":"https://id.example","token_endpoint":"http://id.example/t"}"#),
      .response(302, fields: [.location: "https://evil.example/"]), .response(200, "[]"),
    ] as [ScriptedTransport.Step], [DiscoveryTests.oauth, DiscoveryTests.openID])
  func one(step: ScriptedTransport.Step, place: String) async throws {
    var bad = step
    bad.url = place
    let found = try await metadata([bad, .response(200, DiscoveryTests.good)])
    #expect(found.tokenEndpoint?.string == "https://id.example/t")
  }

  @Test("an untrusted certificate has its remedy")
  func untrusted() async {
    let error = await error([
      .failure(.tls(detail: "self-signed"), at: DiscoveryTests.oauth),
      .failure(.tls(detail: "self-signed"), at: DiscoveryTests.openID),
    ])
    #expect(error?.explanation.remedy == .trustCertificate, "\(String(describing: error))")
  }

  @Test(
    "a document of another server is refused with the reason (RFC 8414, section 3.3)",
    arguments: [
      (#"{"issuer":"https://id.example/"}"#, "the metadata is for issuer 'https://id.example/'"),
      (#"{"issuer":"https://evil.example"}"#, "the metadata is for issuer 'https://evil.example'"),
      (#"{"issuer":"http://evil.example"}"#, "the metadata is for issuer 'http://evil.example'"),
      ("{}", "it has no issuer"), (#"{"issuer":1}"#, "it has no issuer"),
      (
        #"{"issuer":"https://id.example","token_endpoint":"http://id.example/t"}"#,
        "its token_endpoint is not usable: it is plain http"
      ),
      (
        #"{"issuer":"https://id.example","authorization_endpoint":"http://id.example/a"}"#,
        "its authorization_endpoint is not usable: it is plain http"
      ),
      (
        #"{"issuer":"https://id.example","revocation_endpoint":"https://u@id.example/r"}"#,
        "its revocation_endpoint is not usable: it contains user information (…@)"
      ),
    ])
  func refused(document: String, reason: String) async {
    let error = await error([
      .response(200, document, at: DiscoveryTests.oauth), .response(404, at: DiscoveryTests.openID),
    ])
    let isSlash = document.contains("id.example/\"}")
    let hint = "use exactly the issuer value that the server publishes"
    #expect(
      error
        == .refused(
          .init(
            "discovery of https://id.example",
            why: "\(DiscoveryTests.oauth) is not usable: \(reason); \(DiscoveryTests.openID) returned 404",
            hint: reason.hasSuffix("it is plain http")
              ? DiscoveryMiss.plainHTTPHint
              : hint + (isSlash ? ": https://id.example/" : ", or set [endpoints] in the profile"))))
  }

  @Test(
    "a remote issuer can't name plain http or loopback, at no endpoint",
    arguments: [
      "authorization_endpoint", "token_endpoint", "device_authorization_endpoint", "revocation_endpoint", "jwks_uri",
      "pushed_authorization_request_endpoint", "introspection_endpoint", "userinfo_endpoint",
      "registration_endpoint",
    ],
    [
      ("http://id.example/x", "it is plain http"), ("http://127.0.0.1:8080/x", "it is on loopback, its issuer is not"),
      ("https://localhost/x", "it is on loopback, its issuer is not"),
      ("https://[::1]/x", "it is on loopback, its issuer is not"),
    ])
  func remoteIssuer(member: String, endpoint: (url: String, reason: String)) async {
    let document = #"{"issuer":"https://id.example","\#(member)":"\#(endpoint.url)"}"#
    let error = await error([
      .response(200, document, at: DiscoveryTests.oauth), .response(404, at: DiscoveryTests.openID),
    ])
    let why = "\(DiscoveryTests.oauth) is not usable: its \(member) is not usable: \(endpoint.reason)"
    #expect(error?.explanation.why.hasPrefix(why) == true, "\(error?.explanation.why ?? "none")")
  }

  @Test("an issuer on loopback can name endpoints on loopback, and others over https only")
  func loopbackIssuer() async throws {
    let document =
      #"{"issuer":"http://localhost:8080","token_endpoint":"http://127.0.0.1:9/t","#
      + #""jwks_uri":"https://id.example/k"}"#
    let found = try await metadata([.response(200, document), .response(404)], issuer: "http://localhost:8080")
    #expect(found.tokenEndpoint?.string == "http://127.0.0.1:9/t")
    #expect(found.jwksURI?.string == "https://id.example/k")
    let plain = document.replacing("https://id.example/k", with: "http://id.example/k")
    await #expect(throws: AuthError.self) {
      try await metadata([.response(200, plain), .response(404)], issuer: "http://localhost:8080")
    }
  }

  @Test(
    "no document found and an unreachable place: retry later",
    arguments: [
      (.failure(.unresolved(host: "id.example", detail: "no such host")), "cannot resolve id.example: no such host"),
      (.response(503), "\(DiscoveryTests.oauth) returned 503"),
      (.response(429), "\(DiscoveryTests.oauth) returned 429"),
    ] as [(ScriptedTransport.Step, String)])
  func unreachable(step: ScriptedTransport.Step, reason: String) async {
    var bad = step
    bad.url = DiscoveryTests.oauth
    #expect(
      await error([bad, .response(404)])
        == .tryLater(
          .init(
            "discovery of https://id.example", why: reason,
            hint: "check the network and the issuer's address", remedy: .tryAgain(after: nil))))
  }

  @Test(
    "the report finds exactly what discovery finds",
    arguments: [
      .response(404), .response(500), .response(429), .response(200, "<html></html>"),
      .response(200, DiscoveryTests.good),
      .failure(.timedOut(detail: "slow")), .failure(.responseTooLarge(limit: 9)),
      .response(200, #"{"issuer":"https://x"}"#),
      .response(200, #"{"issuer":"https://id.example","token_endpoint":"http://id.example/t"}"#),
    ] as [ScriptedTransport.Step], [true, false])
  func report(step: ScriptedTransport.Step, usesMTLS: Bool) async throws {
    var (first, second) = (step, ScriptedTransport.Step.response(404))
    (first.url, second.url) = (DiscoveryTests.oauth, DiscoveryTests.openID)
    let profile = try sampleProfile { $0.clientAuthentication = usesMTLS ? .tls : .none }
    func server() -> AuthorizationServer {
      AuthorizationServer(
        profile: profile, connection: connection(ScriptedTransport([first, second])), secrets: MemorySecrets())
    }
    let report = try #require(try await server().discoveryReport())
    let isTemporary = report.misses.contains { $0.isTemporary }
    do throws(AuthError) {
      let metadata = try await server().metadata()
      #expect(report.string("token_endpoint")?.value == metadata?.tokenEndpoint?.string)
    } catch {
      #expect(report.documents.isEmpty)
      guard case .tryLater = error else {
        #expect(!isTemporary)
        return
      }
      #expect(isTemporary)
    }
  }

  @Test("the report shows the endpoints of a client with a certificate (RFC 8705, section 5)")
  func reportOfAliases() async throws {
    let document =
      #"{"issuer":"https://id.example","token_endpoint":"https://id.example/t","#
      + #""mtls_endpoint_aliases":{"token_endpoint":"https://mtls.id.example/t"}}"#
    let server = AuthorizationServer(
      profile: try sampleProfile { $0.clientAuthentication = .tls },
      connection: connection(ScriptedTransport([.response(200, document), .response(404)])), secrets: MemorySecrets())
    #expect(try await server.discoveryReport()?.string("token_endpoint")?.value == "https://mtls.id.example/t")
  }
}
