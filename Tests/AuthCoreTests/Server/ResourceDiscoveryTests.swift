import HTTPTypes
import TestSupport
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

  private func failure(_ steps: [ScriptedTransport.Step], _ url: String = api) async throws -> DiscoveryFailure {
    do {
      _ = try await find(steps, url)
    } catch let failure as DiscoveryFailure {
      return failure
    }
    throw Unexpected("a finding")
  }

  private static func document(_ resource: String = api, _ more: String = "") -> String {
    #"{"resource":"\#(resource)","authorization_servers":["https://id.example"]\#(more)}"#
  }

  private static func challenge(_ place: String, _ more: String = "") -> HTTPFields {
    [.wwwAuthenticate: "Bearer resource_metadata=\"\(place)\"\(more)"]
  }

  @Test("the API says where its metadata is, and which scope it wants (RFC 9728, section 5.1)")
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
    "else the well-known part is put before the path (RFC 9728, section 3.1), or before a path above it",
    arguments: [
      ("https://api.example", [""]), ("https://api.example/", [""]), ("https://api.example/v1", ["/v1", ""]),
      ("https://api.example/v1/", ["/v1/", "/v1", ""]), ("https://api.example/a/b/c", ["/a/b/c", "/a/b", "/a", ""]),
      (
        "https://api.example/1/2/3/4/5/6/7/8/9",
        (3...9).reversed().map { end in (1...end).map { "/\($0)" }.joined() } + [""]
      ),
    ])
  func places(url: String, suffixes: [String]) async throws {
    let transport = ScriptedTransport([.response(401)] + Array(repeating: .response(404), count: 8))
    _ = try? await ResourceDiscovery(WebURL(url), connection: connection(transport)).find()
    let expected = [try WebURL(url).string] + suffixes.map { Self.wellKnown + $0 }
    #expect(transport.requests.map(\.url) == expected)
    #expect(transport.requests.allSatisfy { $0.method == .get && $0.fields[.authorization] == nil })
    #expect(transport.destinations.first == "discard")
  }

  @Test(
    "whatever the API answers without a hint, the well-known places are looked at",
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

  @Test("a redirect is followed on the same origin, and not to another one; four in a row are too many")
  func redirects() async throws {
    let moved = ScriptedTransport.Step.response(308, fields: [.location: "/v1/"], at: Self.api)
    let finding = try await find([
      moved, .response(401, fields: Self.challenge("https://meta.example/m"), at: Self.api + "/"),
      .response(307, fields: [.location: "/n"], at: "https://meta.example/m"),
      .response(200, Self.document(), at: "https://meta.example/n"),
    ])
    #expect(finding.url.string == "https://meta.example/m")
    let away = try await failure([
      .response(301, fields: [.location: "https://www.example/login?next=x"]), .response(404),
      .response(302, fields: [.location: "https://evil.example/"]),
    ])
    #expect(away.misses[0].redirect?.string == "https://www.example/login?next=x")
    #expect(away.misses[0].reason == "it returned 301 to https://www.example/login")
    #expect(away.misses[2].reason == "it returned 302 to https://evil.example/")
    let step = ScriptedTransport.Step.response(302, fields: [.location: "/again"])
    let transport = ScriptedTransport([step, step, step, step, .response(404), .response(404)])
    _ = try? await ResourceDiscovery(WebURL(Self.api), connection: connection(transport)).find()
    #expect(transport.requests.count == 6)
  }

  @Test(
    "the metadata may be for an API above the typed address, below it, or with another slash at the end",
    arguments: [
      ("https://api.example/v1", "https://api.example"), ("https://api.example/v1", "https://api.example/"),
      ("https://api.example/v1/items", "https://api.example/v1"), ("https://api.example/v1", "https://api.example/v1/"),
      ("https://api.example/v1/", "https://api.example/v1"), ("https://api.example", "https://api.example/v1"),
      ("https://api.example/v1", "https://API.example:443/v1"),
    ])
  func inLine(url: String, resource: String) async throws {
    let finding = try await find([.response(401), .response(200, Self.document(resource))], url)
    #expect(finding.metadata.resource == resource)
    #expect(try finding.metadata.url == WebURL(resource))
  }

  @Test(
    "metadata for anything else must not be used",
    arguments: [
      ("https://api.example/v10", false), ("https://api.example/v", false), ("https://api.example/V1", false),
      ("https://api.example/v2", false), ("https://evil.example/v1", true), ("https://api.example:8443/v1", true),
      ("http://api.example/v1", true),
    ])
  func beside(resource: String, isFinal: Bool) async throws {
    let place = "https://meta.example/m"
    let failure = try await failure([
      .response(401, fields: Self.challenge(place), at: Self.api), .response(200, Self.document(resource), at: place),
      .response(404), .response(404),
    ])
    #expect(failure.isFinal == isFinal)
    let miss = try #require(failure.misses.first { $0.url.string == place })
    #expect(miss.reason == "the metadata is for resource '\(resource)'")
    #expect(miss.neighbourIssuer == (isFinal ? nil : "https://id.example"))
  }

  @Test("metadata to which the API points may be for a neighbour: the well-known places are looked at")
  func hintedNeighbour() async throws {
    let place = "https://api.example/m"
    let finding = try await find([
      .response(401, fields: Self.challenge(place), at: Self.api),
      .response(200, Self.document("https://api.example/v2"), at: place), .response(404, at: Self.wellKnown + "/v1"),
      .response(200, Self.document("https://api.example"), at: Self.wellKnown),
    ])
    #expect(finding.url.string == Self.wellKnown && finding.metadata.resource == "https://api.example")
  }

  @Test("the document of the whole origin may be for a neighbour")
  func neighbour() async throws {
    let document = Self.document("https://api.example/v2")
    let misses = [ScriptedTransport.Step.response(404, at: Self.wellKnown + "/v1")]
    let neighbour = try await failure(
      [.response(401, at: Self.api), .response(200, document, at: Self.wellKnown)] + misses)
    #expect(!neighbour.isFinal && neighbour.misses.count == 3)
    #expect(neighbour.misses.allSatisfy { $0.neighbourIssuer == nil })
    let foreign = try await failure(
      [.response(401, at: Self.api), .response(200, Self.document("https://evil.example"), at: Self.wellKnown)]
        + misses)
    #expect(foreign.isFinal)
  }

  @Test(
    "a document is not used if it is unsafe, or none (RFC 9728, sections 2 and 7.7)",
    arguments: [
      (document("https://api.example/v1#x"), "its resource 'https://api.example/v1#x' has a query or a fragment", true),
      (document("https://api.example/v1?x"), "its resource 'https://api.example/v1?x' has a query or a fragment", true),
      (document("api"), "its resource 'api' is not usable: it has no scheme (https://…)", false),
      ("{}", "it has no resource", false), ("[]", "it has no resource", false),
      (
        #"{"resource":"https://api.example/v1","authorization_servers":["http://id.example"]}"#,
        "its authorization server 'http://id.example' is not usable: it is plain http", true
      ),
      (
        #"{"resource":"https://api.example/v1","authorization_servers":["https://id.example","http://[::1]:1"]}"#,
        "its authorization server 'http://[::1]:1' is not usable: it is on this machine, but "
          + "https://api.example is not",
        true
      ),
    ])
  func unusable(document: String, reason: String, isUnsafe: Bool) async throws {
    let place = "https://api.example/m"
    let failure = try await failure([
      .response(401, fields: Self.challenge(place), at: Self.api), .response(200, document, at: place),
      .response(404), .response(404),
    ])
    #expect(failure.misses[0].reason == reason && failure.misses[0].isUnsafe == isUnsafe)
    #expect(failure.isFinal == isUnsafe && failure.misses.count == (isUnsafe ? 1 : 3))
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
    let failure = try await failure(
      [
        .response(401, fields: Self.challenge(place), at: api), .response(200, document, at: place), .response(404),
        .response(404),
      ], api)
    #expect(
      failure.misses[0].reason
        == "its authorization server 'http://127.0.0.1:9' is not usable: it is on this machine, but "
        + "https://meta.example is not")
  }

  @Test("members that are not there, or of another type, are as if nothing had been said")
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

  @Test("every place is said with its reason; those with the same status share a sentence")
  func sentences() async throws {
    let failure = try await failure([.response(401), .response(404), .response(404)])
    #expect(
      failure.misses.sentences
        == "https://api.example/v1 returned 401 and names no resource_metadata; "
        + "\(Self.wellKnown)/v1, \(Self.wellKnown) returned 404")
    let other = try await self.failure([.response(200), .response(200, "<html>"), .response(404)])
    #expect(
      other.misses.sentences
        == "https://api.example/v1 returned 200 and names no resource_metadata; "
        + "\(Self.wellKnown)/v1 is not JSON; \(Self.wellKnown) returned 404")
  }

  @Test("a server that can't be reached is asked once; one that is too slow, or fails for now, is asked on")
  func unreachable() async throws {
    for error in [TransportError.tls(detail: "self-signed"), .unresolved(host: "api.example", detail: "x")] {
      let failure = try await failure([.failure(error)])
      #expect(failure.misses.count == 1 && failure.isFinal && failure.misses[0].isTemporary)
      let isTLS = if case .tls = error { true } else { false }
      #expect(failure.misses[0].isUntrusted == isTLS)
    }
    let slow = try await failure([.failure(.timedOut(detail: "slow")), .response(503), .response(404)])
    #expect(slow.misses.map(\.isTemporary) == [true, true, false] && !slow.isFinal)
  }

  @Test("an API whose challenge names the metadata of another API: no other document is read")
  func misleadingChallenge() async throws {
    let place = "https://meta.example/api"
    let failure = try await failure([
      .response(401, fields: Self.challenge(place), at: Self.api),
      .response(200, Self.document("https://bank.example"), at: place), .response(200, Self.document()),
    ])
    #expect(failure.isFinal)
    #expect(failure.misses.map(\.url.string) == [place])
  }

  @Test("when the time for all requests is up, no other place is tried")
  func timeUp() async throws {
    var connection = connection(ScriptedTransport())
    connection.transport = SlowTransport()
    connection.end = .now + .seconds(1)
    let (api, page) = (try WebURL(Self.api), try WebURL(Self.api + "/a/b"))
    let reasons = { (find: () async throws -> Void) async throws -> [String] in
      do {
        try await find()
      } catch let failure as DiscoveryFailure {
        return failure.misses.map(\.reason)
      }
      throw Unexpected("a finding")
    }
    #expect(try await reasons { _ = try await ResourceDiscovery(api, connection: connection).find() } == ["slow"])
    let late = try await reasons { _ = try await IssuerDiscovery(page, connection: connection).find() }
    #expect(late == ["api.example: no time left", "api.example: no time left"])
  }

  @Test("a response whose body does not end is cut off after 10 seconds, and its challenge is used")
  func endless() async throws {
    let place = "https://meta.example/m"
    let documents = ScriptedTransport([.response(200, Self.document(), at: place)])
    let transport = EndlessTransport(
      url: Self.api, fields: Self.challenge(place, ", scope=\"a\""), others: documents, limit: .seconds(10))
    let connection = ServerConnection(
      transport: transport, network: NetworkOptions(), userAgent: "authctl/test", now: { .sample }, boot: { .sample },
      events: events.handler)
    let finding = try await ResourceDiscovery(WebURL(Self.api), connection: connection).find()
    #expect(finding.url.string == place && finding.challengedScope == ["a"])
  }

  @Test("a challenge of 1 MB and a long list of servers cost no more than their length")
  func huge() async throws {
    let noise = String(repeating: "a=\"b\", ", count: 150_000)
    let place = "https://meta.example/m"
    let servers = (0..<10_000).map { "\"https://id\($0).example\"" } + ["\"https://id0.example\""]
    let document =
      #"{"resource":"https://api.example/v1","authorization_servers":[\#(servers.joined(separator: ","))]}"#
    let clock = ContinuousClock()
    let start = clock.now
    let finding = try await find([
      .response(401, fields: [.wwwAuthenticate: "Bearer \(noise)resource_metadata=\"\(place)\""], at: Self.api),
      .response(200, document, at: place),
    ])
    #expect(finding.metadata.authorizationServers.count == 10_000)
    #expect(start.duration(to: clock.now) < .seconds(120))
  }
}

/// A transport to a server whose response at one URL never ends.
private struct EndlessTransport: HTTPTransport {
  let url: String
  let fields: HTTPFields
  /// The responses of other URLs.
  let others: ScriptedTransport
  /// The time limit that the request must have.
  let limit: Duration

  func send(_ transfer: Transfer) async throws -> TransferResponse {
    guard transfer.url.string == url else { return try await others.send(transfer) }
    #expect(transfer.network.timeout == limit)
    _ = try transfer.destination(TransferResponse(status: 401, fields: fields))
    throw TransportError.timedOut(detail: "no complete response")
  }
}

/// A transport that takes longer than the time that is left.
private struct SlowTransport: HTTPTransport {
  func send(_ transfer: Transfer) async throws -> TransferResponse {
    #expect(transfer.network.timeout.map { $0 <= .seconds(1) } == true)
    try await Task.sleep(for: .milliseconds(1100))
    throw TransportError.timedOut(detail: "slow")
  }
}
