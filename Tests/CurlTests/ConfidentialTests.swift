import AuthCore
import Foundation
import HTTPTypes
import Testing

@testable import Curl

@Suite struct ConfidentialTests {
  /// A server on loopback that says which connections have sent a request.
  private func server(_ heads: Recorder<String>) throws -> RawServer {
    try RawServer { peer in
      heads.add(try peer.head())
      try peer.send("HTTP/1.1 204 No Content\n\n")
    }
  }

  /// Ways in which a name of this machine leads to an address that isn't one of this machine's own by its form: the
  /// unspecified one leads to loopback all the same, so that these tests need no other machine.
  @Test(arguments: ["resolve", "resolve *", "proxy", "http_proxy", "all_proxy", "socks5"])
  func `over plain HTTP a secret goes to this machine only, whatever leads elsewhere`(way: String) async throws {
    let heads = Recorder<String>()
    let server = try server(heads)
    let away = "0.0.0.0:\(server.port)"
    var environment: [String: String] = [:]
    var transfer = Transfer(method: .get, url: try WebURL("http://localhost:\(server.port)/"))
    switch way {
    case "resolve": transfer.network.resolve = ["localhost:\(server.port):0.0.0.0"]
    case "resolve *": transfer.network.resolve = ["*:\(server.port):0.0.0.0"]
    case "proxy": transfer.network.proxy = "http://\(away)"
    case "http_proxy": environment = ["http_proxy": "http://\(away)"]
    case "all_proxy": environment = ["all_proxy": away]
    default: transfer.network.proxy = "socks5://\(away)"
    }
    for isTold in [true, false] {
      var secret = transfer
      secret.isConfidential = !isTold
      if isTold { secret.credential = { [HTTPField(name: .authorization, value: "Bearer secret")] } }
      // A proxy that isn't one for SOCKS breaks off before anything is sent.
      let error: TransportError? =
        way == "socks5" ? nil : .exposed(host: "localhost", peer: "0.0.0.0")
      do {
        _ = try await CurlTransport(environment: environment).send(secret)
        Issue.record("it was sent")
      } catch let thrown as TransportError {
        if let error { #expect(thrown == error) }
      }
    }
    #expect(!heads.values.joined().contains("HTTP/1.1"))
    guard way != "socks5" else { return }
    #expect(try await CurlTransport(environment: environment).send(transfer).status == 204)
    #expect(heads.values.count == 1)
  }

  @Test func `a proxy of this machine may see it, and so may a socket`() async throws {
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
    arguments: [
      ("127.0.0.1", true), ("127.255.0.9", true), ("::1", true), ("::ffff:127.0.0.1", true), ("10.0.0.1", false),
      ("0.0.0.0", false), ("::", false), ("", false), ("127.0.0", false), ("127.0.0.1.example", false), ("::2", false),
      ("::ffff:10.0.0.1", false), ("fe80::1", false), ("128.0.0.1", false),
    ])
  func `the addresses of this machine are known by their form (RFC 6890)`(address: String, isLoopback: Bool) {
    #expect(Loopback.contains(address) == isLoopback)
  }
}
