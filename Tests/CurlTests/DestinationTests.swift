import AuthCore
import AuthCurl
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite struct DestinationTests {
  private let transport = CurlTransport(environment: [:])

  @Test(
    "libcurl connects where the origin of an oddly written address says",
    arguments: [
      "http://127.0.0.1:PORT", "HTTP://127.1:PORT", "http://0x7f.1:000PORT", "http://2130706433:PORT/x",
      "http://\u{FF11}\u{FF12}\u{FF17}.0.0.1:PORT", "http://\u{FF2C}OCALHOST:PORT",
      "http://LocalHost:PORT?@evil.example",
      "http://127.0.0.1:PORT#@evil.example",
    ])
  func connected(text: String) async throws {
    let heads = Recorder<String>()
    let server = try ScriptedServer { peer in
      heads.add(try peer.head())
      try peer.send("HTTP/1.1 200 OK\nContent-Length: 0\n\n")
    }
    let url = try WebURL(text.replacing("PORT", with: "\(server.port)"))
    #expect(url.origin.isLoopback)
    _ = try await transport.send(Transfer(method: .get, url: url))
    #expect(heads.values.count == 1)
    #expect(heads.values.first?.contains("\r\nHost: \(url.origin.host):\(server.port)\r\n") == true)
  }

  @Test(
    "libcurl asks a proxy for what the origin of an oddly written address says",
    arguments: [
      "https://API.Example.com", "https://api.example.com.", "https://api.example.com:0443", "https://api.example.com:",
      "https://api.example.com:8443?@evil.example", "https://bücher.example", "https://BÜCHER.example:8443",
      "https://xn--zzzzz.example", "https://faß.example", "https://\u{FF41}pi\u{3002}example/", "https://my_host-1",
      "https://0x7f.1", "https://127.1:1", "https://0", "https://1.65535", "https://4294967295", "https://[::1]",
      "https://[0:0:0:0:0:0:0:1]:8443", "https://[::FFFF:7F00:1]", "https://[::1.2.3.4]", "https://[1:2:3:4:5:6:0:8]",
      "https://localhost.", "https://exa\u{AD}mple.com", "https://api.example.com/\u{301}@evil.example",
      "https://api.example.com/..//@evil.example:1/", "https://api.example.com/:1@evil.example",
    ])
  func tunnelled(text: String) async throws {
    let heads = Recorder<String>()
    let proxy = try ScriptedServer { peer in
      heads.add(try peer.head())
      try peer.send("HTTP/1.1 403 No\nContent-Length: 0\n\n")
    }
    var transfer = Transfer(method: .get, url: try WebURL(text))
    transfer.network.proxy = proxy.base
    await #expect(throws: TransportError.self) { try await transport.send(transfer) }
    let origin = transfer.url.origin
    #expect(heads.values.first?.hasPrefix("CONNECT \(origin.host):\(origin.port) HTTP/1.1\r\n") == true)
  }
}
