import AuthCore
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import AuthCurl

@Suite struct ConfidentialTests {
  /// A server on loopback that says which connections have sent a request.
  private func server(_ heads: Recorder<String>) throws -> ScriptedServer {
    try ScriptedServer { peer in
      heads.add(try peer.head())
      try peer.send("HTTP/1.1 204 No Content\n\n")
    }
  }

  @Test("a proxy of this machine may see it, and so may a socket")
  func localProxy() async throws {
    let heads = Recorder<String>()
    let server = try server(heads)
    var transfer = Transfer(method: .get, url: try WebURL("http://localhost:1/"))
    transfer.isConfidential = true
    transfer.network.proxy = server.base
    #expect(try await CurlTransport(environment: [:]).send(transfer).status == 204)
    transfer.network.proxy = "http://0.0.0.0:1"
    transfer.network.noProxy = "localhost"
    transfer.network.resolve = ["localhost:1:127.0.0.1"]
    transfer.url = try WebURL("http://localhost:\(server.port)/")
    #expect(try await CurlTransport(environment: [:]).send(transfer).status == 204)
    #expect(heads.values.map { $0.prefix { $0 != " " } } == ["GET", "GET"])
  }

  @Test(
    "the addresses of this machine are known by their form (RFC 6890)",
    arguments: [
      ("127.0.0.1", true), ("127.255.0.9", true), ("::1", true), ("::ffff:127.0.0.1", true), ("10.0.0.1", false),
      ("0.0.0.0", false), ("::", false), ("", false), ("127.0.0", false), ("127.0.0.1.example", false), ("::2", false),
      ("::ffff:10.0.0.1", false), ("fe80::1", false), ("128.0.0.1", false),
    ])
  func loopbackAddresses(address: String, isLoopback: Bool) {
    #expect(Loopback.contains(address) == isLoopback)
  }
}
