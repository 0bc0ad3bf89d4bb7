import AuthCore
import AuthCurl
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite struct ExpectationTests {
  private let body = (0..<2 << 20).map { UInt8(truncatingIfNeeded: $0 &* 7) }
  private let empty = "Content-Length: 0\n\n"

  @Test("a 401 that comes at once costs no upload, and the replay is whole")
  func earlyRefusal() async throws {
    let heads = Recorder<String>()
    let bodies = Recorder<[UInt8]>()
    let server = try ScriptedServer { [body, empty] peer in
      let head = try peer.head()
      heads.add(head)
      guard head.contains("Bearer new") else {
        try peer.send("HTTP/1.1 401 Unauthorized\n" + empty)
        return bodies.add(peer.rests())
      }
      try peer.send("HTTP/1.1 100 Continue\n\n")
      bodies.add(try peer.bytes(body.count))
      try peer.send("HTTP/1.1 204 No Content\n\n")
    }
    let url = try WebURL(server.base + "/")
    let sender = AuthorizedSender(
      CurlTransport(environment: [:]), .init(OldAndNew(), origins: [url.origin], refusals: RefusalRule()),
      events: { _ in })
    let transfer = Transfer(method: .put, url: url, body: .bytes(body))
    let response = try await sender.send(transfer, redirects: .response)
    #expect(response.status == 204)
    try await bodies.wait(for: 2)
    #expect(heads.values.count == 2)
    #expect(heads.values.allSatisfy { $0.contains("\r\nExpect: 100-continue\r\n") })
    #expect(bodies.values.contains([]))
    #expect(bodies.values.contains(body))
  }

  @Test("a server that says nothing to the expectation gets the body after a second")
  func ignoredExpectation() async throws {
    let server = try ScriptedServer { [body, empty] peer in
      _ = try peer.head()
      guard try peer.bytes(body.count) == body else { return }
      try peer.send("HTTP/1.1 200 OK\n" + empty)
    }
    let clock = ContinuousClock()
    let began = clock.now
    let response = try await CurlTransport(environment: [:]).send(
      Transfer(method: .post, url: try WebURL(server.base + "/"), body: .bytes(body)))
    #expect(response.status == 200)
    #expect(clock.now - began >= .milliseconds(900))
  }

  @Test("a server that refuses the expectation is asked again without it, and its 417 is not the response")
  func refusedExpectation()
    async throws
  {
    let heads = Recorder<String>()
    let server = try ScriptedServer { [body, empty] peer in
      while true {
        let head = try peer.head()
        heads.add(head)
        if head.contains("Expect:") {
          try peer.send("HTTP/1.1 417 Expectation Failed\nContent-Length: 2\n\nno")
        } else {
          guard try peer.bytes(body.count) == body else { return }
          try peer.send("HTTP/1.1 200 OK\n" + empty)
        }
      }
    }
    let shown = Recorder<Int>()
    var transfer = Transfer(method: .post, url: try WebURL(server.base + "/"), body: .bytes(body))
    transfer.destination = { response in
      shown.add(response.status)
      return .collect(limit: 10)
    }
    let response = try await CurlTransport(environment: [:]).send(transfer)
    #expect(response.status == 200)
    #expect(response.body.isEmpty && response.rawTrailer.isEmpty)
    #expect(shown.values == [200])
    #expect(heads.values.map { $0.contains("Expect:") } == [true, false])
  }

  @Test("a 417 that is the last word is the response, with its body")
  func finalRefusal() async throws {
    let server = try ScriptedServer { peer in
      _ = try peer.head()
      try peer.send("HTTP/1.1 417 Expectation Failed\nConnection: close\nContent-Length: 2\n\nno")
    }
    let response = try await CurlTransport(environment: [:]).send(
      Transfer(method: .post, url: try WebURL(server.base + "/"), body: .bytes(body)))
    #expect(response.status == 417)
    #expect(response.body == Array("no".utf8))
  }

  @Test("the rest of a file is never sent a second time with another range")
  func restOfFile() async throws {
    let heads = Recorder<String>()
    let server = try ScriptedServer { peer in
      while true {
        heads.add(try peer.head())
        try peer.send("HTTP/1.1 417 Expectation Failed\nContent-Length: 0\n\n")
      }
    }
    var transfer = Transfer(method: .put, url: try WebURL(server.base + "/"), body: .bytes(body))
    transfer.upload = .rest(from: 1000)
    await #expect(throws: TransportError.self) { try await CurlTransport(environment: [:]).send(transfer) }
    #expect(heads.values.count == 1)
  }
}

/// A source that gives `old`, and `new` in its place.
private struct OldAndNew: CredentialSource {
  func credential(replacing rejected: Secret?) async throws(AuthError) -> APICredential {
    APICredential(Secret(rejected == nil ? "old" : "new"))
  }
}
