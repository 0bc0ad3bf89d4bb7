import AuthCore
import AuthCurl
import Foundation
import HTTPTypes
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite struct ConnectionTests {
  private struct Refused: Error, Equatable {}
  private let transport = CurlTransport(environment: [:])
  private let empty = "HTTP/1.1 200 OK\nContent-Length: 0\n\n"

  @Test("the connection is made while the credential is fetched, and nothing is sent before it")
  func connectsEarly() async throws {
    let events = Recorder<String>()
    let server = try ScriptedServer { [empty] peer in
      events.add("accepted")
      let head = try peer.head()
      events.add(head.contains("\r\nA: 1\r\nAuthorization: Bearer t\r\n\r\n") ? "request" : "wrong request")
      try peer.send(empty)
    }
    var transfer = Transfer(method: .get, url: try WebURL(server.base + "/"))
    transfer.fields.append(HTTPField(name: try #require(HTTPField.Name("A")), value: "1"))
    transfer.credential = {
      try await events.wait(for: 1)
      try await Task.sleep(for: .milliseconds(100))
      events.add("credential")
      return [HTTPField(name: .authorization, value: "Bearer t")]
    }
    _ = try await transport.send(transfer)
    // On a machine so busy that the credential takes more than a second, a second connection is right.
    #expect(events.values.first == "accepted")
    #expect(events.values.filter { $0 != "accepted" } == ["credential", "request"])
  }

  @Test("a credential that fails sends nothing and its error comes through")
  func failingCredential() async throws {
    let received = Recorder<[UInt8]>()
    let server = try ScriptedServer { peer in received.add(peer.rests()) }
    var transfer = Transfer(method: .post, url: try WebURL(server.base + "/"), body: .bytes([1]))
    transfer.credential = { throw Refused() }
    do {
      let transport = CurlTransport(environment: [:])
      await #expect(throws: Refused()) { try await transport.send(transfer) }
    }
    if server.connections > 0 {
      try await received.wait(for: 1)
      #expect(received.values == [[]])
    }
  }

  @Test("a second request uses the kept connection and has its own credential")
  func secondRequest() async throws {
    let heads = Recorder<String>()
    let server = try ScriptedServer { [empty] peer in
      while true {
        heads.add(try peer.head())
        try peer.send(empty)
      }
    }
    var transfer = Transfer(method: .get, url: try WebURL(server.base + "/"))
    for token in ["one", "two"] {
      transfer.credential = { [HTTPField(name: .authorization, value: "Bearer \(token)")] }
      _ = try await transport.send(transfer)
    }
    #expect(heads.values.map { $0.contains("one") } == [true, false])
    #expect(heads.values.map { $0.contains("two") } == [false, true])
    let before = server.connections
    transfer.credential = nil
    _ = try await transport.send(transfer)
    #expect(heads.values.count == 3)
    #expect(server.connections == before)
  }

  @Test("a request that must be sent once is not sent again when a kept connection breaks", arguments: [false, true])
  func sentOnce(once: Bool) async throws {
    let heads = Recorder<String>()
    let server = try ScriptedServer { [empty] peer in
      heads.add(try peer.head())
      try peer.send(empty)
      // The second request of a connection is read and gets no response.
      heads.add(try peer.head())
    }
    var transfer = Transfer(method: .get, url: try WebURL(server.base + "/first"))
    _ = try await transport.send(transfer)
    transfer = Transfer(method: .post, url: try WebURL(server.base + "/second"), body: .bytes([]))
    transfer.isSentOnce = once
    _ = try await transport.send(transfer)
    #expect(heads.values.filter { $0.contains("/second") }.count == (once ? 1 : 2))
  }

  @Test("a kept connection that the server has closed is replaced")
  func closedConnection() async throws {
    let heads = Recorder<String>()
    let server = try ScriptedServer { [empty] peer in
      heads.add(try peer.head())
      try peer.send(empty)
    }
    var transfer = Transfer(method: .post, url: try WebURL(server.base + "/"), body: .bytes([]))
    transfer.credential = { [HTTPField(name: .authorization, value: "Bearer t")] }
    for _ in 1...3 { _ = try await transport.send(transfer) }
    #expect(heads.values.map { $0.split(separator: "Bearer t").count } == [2, 2, 2])
  }

  @Test("a connection that the server closes while the credential is fetched is opened again")
  func closedEarly() async throws {
    let heads = Recorder<String>()
    let isFirst = Mutex(true)
    let accepted = Recorder<Void>()
    let server = try ScriptedServer { [empty] peer in
      accepted.add(())
      guard
        !isFirst.withLock({ first in
          defer { first = false }; return first
        })
      else { return }
      heads.add(try peer.head())
      try peer.send(empty)
    }
    var transfer = Transfer(method: .get, url: try WebURL(server.base + "/"))
    transfer.network.timeout = .seconds(3)
    transfer.credential = {
      try await accepted.wait(for: 1)
      try await Task.sleep(for: .seconds(4))
      return [HTTPField(name: .authorization, value: "Bearer t")]
    }
    let response = try await transport.send(transfer)
    #expect(response.status == 200)
    #expect(heads.values.count == 1)
    #expect(server.connections == 2)
  }

  /// A transfer to a port where nothing listens.
  private func refused() throws -> Transfer {
    let server = try ScriptedServer { _ in }
    server.stop()
    return Transfer(method: .get, url: try WebURL("http://127.0.0.1:\(server.port)/"))
  }

  @Test("a refused connection is unreachable")
  func refusedConnection() async throws {
    do {
      _ = try await transport.send(try refused())
      Issue.record("connected")
    } catch TransportError.unreachable(let detail) {
      #expect(detail.contains("127.0.0.1"))
    }
  }

  @Test("of a refused connection and a credential that fails, the credential is reported, however late it fails")
  func refusedWithFailingCredential() async throws {
    var transfer = try refused()
    let ended = Recorder<Void>()
    transfer.report = { _ in ended.add(()) }
    transfer.credential = {
      try await ended.wait(for: 1)
      try await Task.sleep(for: .seconds(2))
      throw Refused()
    }
    await #expect(throws: Refused()) { try await transport.send(transfer) }
  }

  @Test("of a refused connection and a credential that comes, the connection is reported")
  func refusedWithCredential() async throws {
    var transfer = try refused()
    transfer.credential = { [] }
    await #expect(throws: TransportError.self) { try await transport.send(transfer) }
  }

  @Test("a name without an address is unresolved")
  func unresolvedName() async throws {
    let transfer = Transfer(method: .get, url: try WebURL("http://name.invalid/"))
    await #expect(
      throws: TransportError.unresolved(host: "name.invalid", detail: "Could not resolve host: name.invalid")
    ) {
      try await transport.send(transfer)
    }
  }

  @Test("a transfer is not affected by the failure of the one before it")
  func afterFailure() async throws {
    var transfer = Transfer(method: .get, url: try WebURL("https://127.0.0.1:1/"))
    transfer.network.proxy = "http://name.invalid:1"
    var errors: [String] = []
    for _ in 0..<2 {
      do {
        _ = try await transport.send(transfer)
      } catch {
        errors.append("\(error)")
      }
    }
    #expect(errors.count == 2 && errors.first?.contains("name.invalid") == true)
    #expect(Set(errors).count == 1, "\(errors)")
  }

  @Test("a server that hangs runs into the time limit")
  func hangingServer() async throws {
    let server = try ScriptedServer { peer in
      try peer.send("HTTP/1.1 200 OK\nContent-Length: 9\n\nabc")
      _ = peer.rests()
    }
    var transfer = Transfer(method: .get, url: try WebURL(server.base + "/"))
    transfer.network.timeout = .milliseconds(2500)
    await #expect(
      throws: TransportError.timedOut(
        detail: "127.0.0.1: no complete response within 2.5 seconds, got 3 bytes")
    ) {
      try await transport.send(transfer)
    }
  }

  @Test("a port that speaks plain http, or TLS, instead of the other is named so")
  func otherScheme() async throws {
    let plain = try ScriptedServer { peer in
      try peer.send("HTTP/1.1 400 Bad Request\nContent-Length: 0\n\n")
      _ = peer.rests()
    }
    await #expect(
      throws: TransportError.unreachable(detail: "127.0.0.1: the port does not speak TLS; it may speak plain http")
    ) { try await transport.send(Transfer(method: .get, url: WebURL("https://127.0.0.1:\(plain.port)/"))) }
    // An alert of TLS.
    let tls = try ScriptedServer { peer in
      _ = try peer.head()
      try peer.send([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x46])
    }
    await #expect(
      throws: TransportError.broken(detail: "127.0.0.1: the response is not HTTP; the port may speak https")
    ) { try await transport.send(Transfer(method: .get, url: WebURL(tls.base + "/"))) }
  }

  @Test("a handshake that hangs runs into the limit for connecting: there was no connection")
  func hangingHandshake() async throws {
    let server = try ScriptedServer { peer in _ = peer.rests() }
    var transfer = Transfer(method: .get, url: try WebURL("https://127.0.0.1:\(server.port)/"))
    transfer.network.connectTimeout = .milliseconds(200)
    do {
      _ = try await transport.send(transfer)
      Issue.record("connected")
    } catch TransportError.unreachable {}
  }

  @Test("a cancelled task ends soon", arguments: ["network", "credential", "output"])
  func cancellation(_ place: String) async throws {
    let reached = Recorder<Void>()
    let server = try ScriptedServer { peer in
      _ = try peer.head()
      try peer.send("HTTP/1.1 200 OK\nContent-Length: 1000000000\n\n")
      reached.add(())
      if place == "output" {
        while true { try peer.send([UInt8](repeating: 1, count: 65536)) }
      }
      _ = peer.rests()
    }
    var transfer = Transfer(method: .get, url: try WebURL(server.base + "/"))
    let pipe = try FileDescriptor.pipe()
    if place == "output" { transfer.destination = { _ in .write(to: pipe.writeEnd) } }
    if place == "credential" {
      transfer.credential = {
        reached.add(())
        // A source that doesn't hear of the cancellation.
        await withCheckedContinuation { continuation in
          DispatchQueue.global().asyncAfter(deadline: .now() + 300) { continuation.resume() }
        }
        return []
      }
    }
    let task = Task { [transfer, transport] in try await transport.send(transfer) }
    try await reached.wait(for: 1)
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try pipe.readEnd.close()
  }

  @Test("many transfers at once each get their own response")
  func manyTransfers() async throws {
    let server = try ScriptedServer { peer in
      while true {
        let path = try peer.head().split(separator: " ")[1]
        try peer.send("HTTP/1.1 200 OK\nContent-Length: \(path.count)\n\n\(path)")
      }
    }
    let url = try WebURL(server.base + "/")
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<40 {
        group.addTask { [transport] in
          let response = try await transport.send(Transfer(method: .get, url: try url.resolving("/\(number)")))
          return response.body == Array("/\(number)".utf8)
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }
}
