import HTTPTypes
import Testing

@testable import AuthCore

@Suite("ResourceDiscovery")
struct ResourceDiscoveryTests {
  private let events = EventLog()
  private static let wellKnown = "https://api.example/.well-known/oauth-protected-resource"
  private static let api = "https://api.example/v1"

  private func find(_ steps: [ScriptedTransport.Step], _ url: String = api) async throws -> ResourceDiscovery.Finding {
    try await ResourceDiscovery(WebURL(url), connection: connection(ScriptedTransport(steps), events: events)).find()
  }

  private func error(_ steps: [ScriptedTransport.Step], _ url: String = api) async throws -> AuthError {
    do {
      _ = try await find(steps, url)
    } catch let error as AuthError {
      return error
    }
    throw Unexpected("a finding")
  }

  private static func document(_ resource: String = api, _ more: String = "") -> String {
    #"{"resource":"\#(resource)","authorization_servers":["https://id.example"]\#(more)}"#
  }

  private static func challenge(_ place: String, _ more: String = "") -> HTTPFields {
    [.wwwAuthenticate: "Bearer resource_metadata=\"\(place)\"\(more)"]
  }

  @Test("an untrusted certificate has its remedy")
  func untrusted() async throws {
    let error = try await error([.failure(.tls(detail: "self-signed")), .response(404), .response(404)])
    #expect(error.explanation.remedy == .trustCertificate, "\(error)")
  }

  @Test("the challenge names the metadata and the scope (RFC 9728, section 5.1)")
  func challenged() async throws {
    let place = "https://meta.example/api"
    let more = #","scopes_supported":["a","b b","c"],"bearer_methods_supported":["header"],"resource_name":1"#
    let finding = try await find([
      .response(401, fields: Self.challenge(place, ", scope=\"a b\""), at: Self.api),
      .response(200, Self.document(Self.api, more), at: place),
    ])
    #expect(finding.url.string == place)
    #expect(finding.challengedScope == ["a", "b"])
    #expect(finding.metadata.resource == Self.api)
    #expect(finding.metadata.authorizationServers == ["https://id.example"])
    #expect(finding.metadata.scopesSupported == ["a", "c"])
    #expect(finding.metadata.bearerMethodsSupported == ["header"])
    #expect(!finding.metadata.dpopBoundAccessTokensRequired)
    #expect(events.events == [.discovered(url: place)])
  }

  @Test(
    "else the well-known part is put before the path (RFC 9728, section 3.1), or stands for the whole origin",
    arguments: [
      ("https://api.example", [""]), ("https://api.example/", [""]), ("https://api.example/v1", ["/v1", ""]),
      ("https://api.example/v1/", ["/v1/", ""]), ("https://api.example/v1?a=b", ["/v1?a=b", ""]),
      ("https://api.example/?a=b", ["?a=b", ""]),
    ])
  func places(url: String, suffixes: [String]) async throws {
    let transport = ScriptedTransport()
    _ = try? await ResourceDiscovery(WebURL(url), connection: connection(transport)).find()
    let expected = [try WebURL(url).string] + suffixes.map { Self.wellKnown + $0 }
    #expect(transport.requests.map(\.url) == expected)
    #expect(transport.requests.allSatisfy { $0.method == .get && $0.fields[.authorization] == nil })
  }

  @Test(
    "any response without a challenge leads to the well-known places",
    arguments: [
      .response(200), .response(401), .response(404), .response(302, fields: [.location: "https://evil.example/"]),
      .response(401, fields: [.wwwAuthenticate: "Basic realm=x"]), .failure(.timedOut(detail: "slow")),
      .response(401, fields: challenge("http://api.example/m")),
      .response(401, fields: challenge("http://127.0.0.1/m")),
      .response(401, fields: challenge("https://localhost/m")), .response(401, fields: challenge("/m")),
      .response(401, fields: challenge("")),
    ] as [ScriptedTransport.Step])
  func hintless(step: ScriptedTransport.Step) async throws {
    var step = step
    step.url = Self.api
    let transport = ScriptedTransport([step, .response(200, Self.document(), at: Self.wellKnown + "/v1")])
    let finding = try await ResourceDiscovery(WebURL(Self.api), connection: connection(transport)).find()
    #expect(finding.url.string == Self.wellKnown + "/v1")
    #expect(transport.requests.map(\.url) == [Self.api, Self.wellKnown + "/v1"])
    #expect(finding.challengedScope.isEmpty)
  }

  @Test("metadata for the whole origin must be of the whole origin (RFC 9728, section 3.3)")
  func origin() async throws {
    let misses = [ScriptedTransport.Step.response(401, at: Self.api), .response(404, at: Self.wellKnown + "/v1")]
    let finding = try await find(
      misses + [.response(200, Self.document("https://API.example:443"), at: Self.wellKnown)])
    #expect(finding.metadata.resource == "https://API.example:443")
    let error = try await error(misses + [.response(200, Self.document(), at: Self.wellKnown)])
    #expect(
      error
        == .refused(
          .init(
            "discovery of https://api.example/v1",
            why:
              "https://api.example/v1 returned 401 and names no resource_metadata; \(Self.wellKnown)/v1 returned 404; "
              + "\(Self.wellKnown) is not usable: the metadata is for resource 'https://api.example/v1'",
            remedy: .giveIssuer(api: "https://api.example/v1"))))
  }

  @Test("an address below an API leads to that API, which is asked itself (RFC 9728, section 3.3)")
  func below() async throws {
    let place = "https://meta.example/api"
    let page = Self.api + "/items?q=1"
    let misses = [
      ScriptedTransport.Step.response(401, fields: Self.challenge(place), at: page),
      .response(200, Self.document(), at: place), .response(404), .response(404),
    ]
    let finding = try await find(
      misses + [
        .response(401, fields: Self.challenge(place, ", scope=\"a\""), at: Self.api),
        .response(200, Self.document(), at: place),
      ], page)
    #expect(finding.api.string == Self.api)
    #expect(finding.challengedScope == ["a"])
    // It does not lead to itself in turn, nor to a third one.
    let other = ScriptedTransport.Step.response(200, Self.document("https://api.example"), at: place)
    let error = try await error(
      misses + [.response(401, fields: Self.challenge(place)), other, .response(404), .response(404)], page)
    #expect(error.explanation.what == "discovery of https://api.example/v1")
    #expect(error.explanation.remedy == .giveIssuer(api: Self.api))
  }

  @Test(
    "a document of an API that is not above the address is not followed",
    arguments: [
      "https://api.example/v10", "https://api.example/V1", "https://other.example", "https://api.example/v1?q",
    ])
  func beside(resource: String) async throws {
    let error = try await error(
      [
        .response(401, fields: Self.challenge("https://meta.example/m"), at: Self.api + "/items"),
        .response(200, Self.document(resource), at: "https://meta.example/m"), .response(404), .response(404),
      ], Self.api + "/items")
    #expect(error.explanation.remedy == .giveIssuer(api: Self.api + "/items"))
  }

  @Test(
    "a document of another resource is not used, nor one that is none (RFC 9728, section 3.3)",
    arguments: [
      (document("https://evil.example/v1"), "the metadata is for resource 'https://evil.example/v1'"),
      (document("https://api.example/V1"), "the metadata is for resource 'https://api.example/V1'"),
      (document("https://api.example/v1#x"), "the metadata is for resource 'https://api.example/v1#x'"),
      (document("api"), "its resource 'api' is not usable: it has no scheme (https://…)"),
      ("{}", "it has no resource"), ("[]", "it has no resource"),
      (
        #"{"resource":"https://api.example/v1","authorization_servers":["http://id.example"]}"#,
        "its authorization server 'http://id.example' is not usable: it is plain http"
      ),
      (
        #"{"resource":"https://api.example/v1","authorization_servers":["https://id.example","http://[::1]:1"]}"#,
        "its authorization server 'http://[::1]:1' is not usable: it is on this machine, but https://api.example is not"
      ),
    ])
  func unusable(document: String, reason: String) async throws {
    let error = try await error([
      .response(401, fields: Self.challenge("https://api.example/m"), at: Self.api),
      .response(200, document, at: "https://api.example/m"), .response(404), .response(404),
    ])
    guard case .refused(let explanation) = error else { throw Unexpected(error) }
    #expect(explanation.why.hasPrefix("https://api.example/m is not usable: \(reason); \(Self.wellKnown)/v1 returned"))
  }

  @Test("an API on this machine may name a server on this machine")
  func loopback() async throws {
    let document = #"{"resource":"http://127.0.0.1:8080/v1","authorization_servers":["http://127.0.0.1:9"]}"#
    let finding = try await find(
      [.response(401), .response(200, document)], "http://127.0.0.1:8080/v1")
    #expect(finding.metadata.authorizationServers == ["http://127.0.0.1:9"])
  }

  @Test("a document on another machine must not name a server on this machine, also of an API on this machine")
  func remoteDocument() async throws {
    let (api, place) = ("http://127.0.0.1:8080/v1", "https://meta.example/api")
    let document = #"{"resource":"http://127.0.0.1:8080/v1","authorization_servers":["http://127.0.0.1:9"]}"#
    let error = try await error(
      [.response(401, fields: Self.challenge(place), at: api), .response(200, document, at: place)], api)
    #expect(
      error.explanation.why.contains(
        "its authorization server 'http://127.0.0.1:9' is not usable: it is on this machine, but "
          + "https://meta.example is not"), "\(error)")
  }

  @Test("members that are missing, or of another type, are ignored")
  func absent() async throws {
    let document = """
      {"resource":"https://api.example/v1","authorization_servers":7,"scopes_supported":{},\
      "bearer_methods_supported":[1],"dpop_bound_access_tokens_required":"yes"}
      """
    let metadata = try await find([.response(401), .response(200, document)]).metadata
    #expect(metadata.authorizationServers.isEmpty && metadata.scopesSupported.isEmpty)
    #expect(metadata.bearerMethodsSupported == nil && !metadata.dpopBoundAccessTokensRequired)
    let bound = try await find([
      .response(401), .response(200, Self.document(Self.api, #","dpop_bound_access_tokens_required":true"#)),
    ])
    #expect(bound.metadata.dpopBoundAccessTokensRequired)
  }

  @Test(
    "no metadata found and an unreachable place: retry later; else the error lists what was tried",
    arguments: [
      ([.response(401), .response(503), .response(404)], true),
      ([.response(401), .response(404), .response(404)], false),
      ([.response(401), .response(200, "<html>"), .response(404)], false),
      ([.response(429), .response(404), .response(404)], true),
      ([.response(401), .failure(.responseTooLarge(limit: 9)), .response(404)], false), ([], true),
    ] as [([ScriptedTransport.Step], Bool)])
  func failures(steps: [ScriptedTransport.Step], isTemporary: Bool) async throws {
    let error = try await error(steps)
    guard isTemporary else {
      guard case .refused(let explanation) = error else { throw Unexpected(error) }
      #expect(explanation.why.contains("oauth-protected-resource/v1"))
      #expect(
        explanation.remedy == .giveIssuer(api: "https://api.example/v1"))
      return
    }
    guard case .tryLater = error else { throw Unexpected(error) }
  }
}
