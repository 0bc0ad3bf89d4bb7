import TestSupport
import Testing

@testable import AuthCore

@Suite("ServerChange")
struct ServerChangeTests {
  private static let edits: [(String, @Sendable (inout Profile) throws -> Void, ServerChange?)] = [
    ("nothing", { _ in }, nil),
    ("issuer", { $0.issuer = "https://new.example" }, .issuer),
    ("no issuer", { $0.issuer = nil }, .issuer),
    ("client", { $0.clientID = "new" }, .client),
    ("client left to the login", { $0.clientID = "" }, nil),
    ("neither issuer nor client", { ($0.issuer, $0.clientID) = (nil, "") }, .issuer),
    ("origin", { $0.endpoints.token = try WebURL("https://new.example/token") }, .tokenEndpoint),
    ("port", { $0.endpoints.token = try WebURL("https://id.example:8443/token") }, .tokenEndpoint),
    ("path", { $0.endpoints.token = try WebURL("https://id.example/v2/token") }, nil),
    ("left to discovery", { $0.endpoints.token = nil }, nil),
    ("scope and API", { ($0.scope, $0.api) = (["x"], []) }, nil),
  ]

  @Test("issuer, client and origin of the token endpoint identify the server", arguments: edits.indices)
  func edited(index: Int) throws {
    let (what, edit, expected) = ServerChangeTests.edits[index]
    #expect(samplePair().server?.change(in: try sampleProfile(edit)) == expected, "\(what)")
  }

  @Test(
    "a token endpoint that is discovered counts, unless the profile states one",
    arguments: [("https://id.example/v2", false, nil), ("https://new.example/token", false, .tokenEndpoint)]
      + [("https://new.example/token", true, nil)] as [(String, Bool, ServerChange?)])
  func discovered(endpoint: String, isStated: Bool, expected: ServerChange?) throws {
    let profile = try sampleProfile { if !isStated { $0.endpoints.token = nil } }
    #expect(samplePair().server?.change(in: profile, discovered: try WebURL(endpoint)) == expected)
  }

  @Test("a pair without a known token endpoint may go to that of its issuer's metadata, not to one edited in")
  func unknownEndpoint() throws {
    var server = try #require(samplePair().server)
    server.tokenEndpoint = nil
    let url = try WebURL("https://id.example/token")
    #expect(server.change(in: try sampleProfile()) == .tokenEndpoint)
    #expect(server.change(in: try sampleProfile { $0.endpoints.token = nil }, discovered: url) == nil)
    server.issuer = nil
    #expect(
      server.change(
        in: try sampleProfile {
          $0.issuer = nil
          $0.endpoints.token = nil
        }, discovered: url) == .tokenEndpoint)
  }

  @Test("a token endpoint that can't be read belongs to no server")
  func unreadable() throws {
    var server = try #require(samplePair().server)
    server.tokenEndpoint = "nonsense"
    #expect(server.change(in: try sampleProfile { $0.endpoints.token = nil }) == .tokenEndpoint)
  }

  @Test("tokens of one type of profile are not those of another")
  func otherType() throws {
    #expect(samplePair().server?.change(in: try customProfile()) == .issuer)
    #expect(customPair().server?.change(in: try customProfile()) == nil)
    #expect(customPair().server?.change(in: try sampleProfile { $0.issuer = nil }) == .client)
  }
}
