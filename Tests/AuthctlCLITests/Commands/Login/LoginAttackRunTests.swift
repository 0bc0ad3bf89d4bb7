import AuthCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AuthctlCLI

/// APIs and servers that try to mislead a login with a URL.
@Suite("LoginAttackRun") struct LoginAttackRunTests {
  /// A server that records the heads of its requests.
  private final class Recorder: Sendable {
    private let heads = Mutex<[String]>([])
    var requests: [String] { heads.withLock(\.self) }

    func respond(_ head: [String], _ text: String) -> String {
      heads.withLock { $0.append(head[0]) }
      return text
    }
  }

  private static func ok(_ body: String) -> String { "HTTP/1.1 200 OK\nContent-Type: application/json\n\n\(body)" }

  private static func document(_ api: String, _ servers: String) -> String {
    ok(#"{"resource":"\#(api)","authorization_servers":[\#(servers)]}"#)
  }

  private func login(_ place: Workplace, _ url: String) async throws -> Outcome {
    try await place.run(["login", url, "--client-id", "cli"], browser: place.browser())
  }

  @Test("metadata of another API or origin: status 6, and the server that it names gets nothing")
  func foreignResource() async throws {
    for resource in ["https://bank.example/v1", "https://api.example/v10", "https://api.example/admin"] {
      let (place, evil) = (try Workplace(), Recorder())
      place.network.add("https://api.example") { _ in Self.document(resource, #""https://evil.example""#) }
      place.network.add("https://evil.example") { evil.respond($0, Self.ok("{}")) }
      let outcome = try await login(place, "https://api.example/v1")
      outcome.expect(6, error: "the metadata is for resource '\(resource)'")
      #expect(evil.requests.isEmpty)
    }
  }

  @Test("a server that names another issuer than the API does: status 6, also if only a slash differs")
  func otherIssuer() async throws {
    for issuer in ["https://evil.example", "https://id.example/"] {
      let (place, evil) = (try Workplace(), Recorder())
      place.network.add("https://api.example") { _ in Self.document("https://api.example", #""https://id.example""#) }
      place.network.add("https://id.example") { _ in
        Self.ok(#"{"issuer":"\#(issuer)","token_endpoint":"https://evil.example/t"}"#)
      }
      place.network.add("https://evil.example") { evil.respond($0, Self.ok("{}")) }
      let outcome = try await login(place, "https://api.example")
      outcome.expect(6, error: "the metadata is for issuer '\(issuer)'")
      #expect(evil.requests.isEmpty)
    }
  }

  @Test("the login page of a good server, the token endpoint of another: status 6, and no client is registered there")
  func mixUp() async throws {
    let (place, good) = (try Workplace(), Recorder())
    place.network.add("https://api.example") { _ in Self.document("https://api.example", #""https://evil.example""#) }
    place.network.add("https://evil.example") { _ in
      Self.ok(
        #"{"issuer":"https://evil.example","authorization_endpoint":"https://good.example/authorize","#
          + #""registration_endpoint":"https://good.example/register","token_endpoint":"https://evil.example/t"}"#)
    }
    place.network.add("https://good.example") { good.respond($0, Self.ok(#"{"client_id":"c"}"#)) }
    for client in [[], ["--client-id", "cli"]] {
      let outcome = try await place.run(["login", "https://api.example"] + client, browser: place.browser())
      outcome.expect(6)
      #expect(
        outcome.error.contains(
          "on several origins: https://good.example, and https://evil.example, which gets the code"),
        "\(outcome.error)")
      #expect(outcome.error.contains("--issuer https://evil.example"), "\(outcome.error)")
      #expect(good.requests.isEmpty && place.secrets.items.isEmpty)
    }
  }

  @Test("the line of a hint runs nothing but authctl, whatever an API names as its server")
  func copiedHint() async throws {
    let place = try Workplace()
    let server = "https://b.example/it'\u{301};id;'"
    place.network.add("https://api.example") { _ in
      Self.document("https://api.example", "\"https://a.example\",\"\(server)\"")
    }
    let error = try await login(place, "https://api.example").error
    let start = try #require(error.firstRange(ofBytes: "to use another server of the API: ")?.upperBound, "\(error)")
    let command = error[start...].prefix(upToAny: "\n")
    let shell = try Tool.run(["sh", "-c", "authctl() { for last; do :; done; printf %s \"$last\"; }; \(command)"])
    #expect(Array(shell.output.utf8) == Array(server.utf8), "\(command)")
  }

  @Test("a good server's pages, and a revocation endpoint of another that would get the refresh token: status 6")
  func foreignRevocation() async throws {
    for endpoint in ["revocation_endpoint", "pushed_authorization_request_endpoint", "introspection_endpoint"] {
      let place = try Workplace()
      place.network.add("https://api.example") { _ in Self.document("https://api.example", #""https://evil.example""#) }
      place.network.add("https://evil.example") { _ in
        Self.ok(
          #"{"issuer":"https://evil.example","authorization_endpoint":"https://good.example/authorize","#
            + #""token_endpoint":"https://good.example/t","\#(endpoint)":"https://evil.example/r"}"#)
      }
      let outcome = try await login(place, "https://api.example")
      outcome.expect(6, error: "its endpoints are on several origins")
    }
  }

  @Test("a server with endpoints on several origins, such as Google's, can be used if a person names it")
  func severalOrigins() async throws {
    let place = try Workplace()
    place.network.add("https://id.example") { _ in
      Self.ok(
        #"{"issuer":"https://id.example","authorization_endpoint":"https://id.example/authorize","#
          + #""token_endpoint":"https://tokens.example/t"}"#)
    }
    let outcome = try await place.run(["login", "https://id.example"], browser: place.browser())
    outcome.expect(2, error: "register a public client at https://id.example")
  }

  @Test(
    "endpoints on loopback or over plain http: status 6, whether an API or a person names the server",
    arguments: ["http://id.example/t", "http://127.0.0.1:1/t", "https://[::1]/t"])
  func unsafeEndpoint(endpoint: String) async throws {
    let place = try Workplace()
    place.network.add("https://api.example") { _ in Self.document("https://api.example", #""https://id.example""#) }
    place.network.add("https://id.example") { head in
      guard head[0].contains("/.well-known/oauth-authorization-server") || head[0].contains("openid") else {
        return "HTTP/1.1 404 Not Found\n\n"
      }
      return Self.ok(#"{"issuer":"https://id.example","token_endpoint":"\#(endpoint)"}"#)
    }
    for url in ["https://api.example", "https://id.example"] {
      let outcome = try await login(place, url)
      outcome.expect(6, error: "its token_endpoint is not usable")
    }
  }

  @Test(
    "servers and documents on loopback or over plain http, named by a remote API: status 6, none is asked",
    arguments: ["http://127.0.0.1:40999", "https://localhost:40999", "http://id.example"])
  func unsafeServer(issuer: String) async throws {
    let (place, evil) = (try Workplace(), Recorder())
    place.network.add(issuer) { evil.respond($0, Self.ok("{}")) }
    place.network.add("https://api.example") { _ in Self.document("https://api.example", "\"\(issuer)\"") }
    place.network.add("https://hint.example") { _ in
      "HTTP/1.1 401 Unauthorized\nWWW-Authenticate: Bearer resource_metadata=\"\(issuer)/m\"\n\n"
    }
    for url in ["https://api.example", "https://hint.example"] {
      let outcome = try await login(place, url)
      outcome.expect(6, error: "is not usable: ")
    }
    #expect(evil.requests.isEmpty)
  }

  @Test("a challenge of 1 MB, 20,000 servers, and documents without end: an error of limited length")
  func huge() async throws {
    let place = try Workplace()
    let noise = String(repeating: "a=\"b\", ", count: 150_000)
    place.network.add("https://noise.example") { _ in
      "HTTP/1.1 401 Unauthorized\nWWW-Authenticate: Bearer \(noise)scope=\"x\"\n\n"
    }
    let servers = (0..<20_000).map { "\"https://id\($0).example\"" }.joined(separator: ",")
    place.network.add("https://many.example") { _ in Self.document("https://many.example", servers) }
    place.network.add("https://large.example") { _ in Self.ok(String(repeating: " ", count: 2 << 20)) }
    for (host, status, word) in [
      ("noise", 6, "names no resource_metadata"), ("many", 5, "--issuer https://id1.example"),
      ("large", 6, "larger than 1048576 bytes"),
    ] as [(String, Int32, String)] {
      let outcome = try await login(place, "https://\(host).example")
      #expect(outcome.status == status, "\(outcome.error.prefix(2000))")
      #expect(outcome.error.contains(word), "\(host): \(outcome.error.prefix(2000))")
      #expect(outcome.error.utf8.count < 3000, "\(host)")
    }
  }

  @Test("an API that names a server of its own: its page is shown with its host, and it gets nothing stored of others")
  func maliciousServer() async throws {
    let place = try await Workplace.loggedIn()
    let evil = try place.otherLab()
    let secrets = try ["access_token", "refresh_token"].compactMap { try place.pair().string($0) }
    #expect(secrets.count == 2)
    try await evil.change(#"{"resource_metadata":true}"#)
    let outcome = try await place.run(
      ["login", evil.origin + "/api", "--client-id", "cli"], browser: FakeBrowser(server: evil))
    outcome.expect(0, error: "Server       \(evil.origin) ", "\(evil.origin)/authorize?")
    for request in try await evil.lastRequests() {
      let text = "\(request)"
      for secret in secrets + [Workplace.password] where !text.contains("/authorize/decide") {
        #expect(!text.contains(secret), "\(text)")
      }
    }
    // The profile of the other server is unchanged.
    #expect(try await place.run("call", "-p", "work", "me").status == 0)
  }
}
