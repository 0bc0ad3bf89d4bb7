import AuthCore
import AuthCurl
import Foundation
import Glibc
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// A request that waits for something else until its connection is open.
@Suite struct BeforeSendingTests {
  private struct Refused: Error, Equatable {}
  private let transport = CurlTransport(environment: [:])

  private func post(to server: ScriptedServer) throws -> Transfer {
    var transfer = Transfer(method: .post, url: try WebURL(server.base + "/"), body: .bytes([1]))
    transfer.isSentOnce = true
    return transfer
  }

  @Test("the connection is open before, and nothing is sent until it has returned")
  func order() async throws {
    let events = Recorder<String>()
    let server = try ScriptedServer { peer in
      events.add("accepted")
      _ = try peer.head()
      events.add("request")
      try peer.send("HTTP/1.1 204 No Content\n\n")
    }
    var transfer = try post(to: server)
    transfer.credential = {
      events.add("credential")
      return []
    }
    transfer.beforeSending = {
      try await events.wait(for: 2)
      events.add("ready")
    }
    _ = try await transport.send(transfer)
    #expect(Set(events.values.prefix(2)) == ["accepted", "credential"])
    // On a busy machine, the connection may have been idle for so long that another one is opened.
    #expect(events.values.suffix(2) == ["ready", "request"] && events.values.count { $0 == "request" } == 1)
  }

  @Test("its error comes through, and nothing is sent")
  func failure() async throws {
    let received = Recorder<[UInt8]>()
    let server = try ScriptedServer { peer in received.add(peer.rests()) }
    var transfer = try post(to: server)
    transfer.beforeSending = { throw Refused() }
    do {
      let transport = CurlTransport(environment: [:])
      await #expect(throws: Refused()) { try await transport.send(transfer) }
    }
    try await received.wait(for: 1)
    #expect(received.values == [[]])
  }

  @Test("without a connection, or after a credential that failed, it is not called", arguments: [false, true])
  func needless(connects: Bool) async throws {
    let calls = Recorder<Void>()
    let server = try ScriptedServer { peer in _ = peer.rests() }
    if !connects { server.stop() }
    var transfer = try post(to: server)
    transfer.beforeSending = { calls.add(()) }
    if connects { transfer.credential = { throw Refused() } }
    await #expect(throws: (any Error).self) { try await transport.send(transfer) }
    #expect(calls.values.isEmpty)
  }

  @Test("if it takes long, the connection is checked, and opened again if the server has closed it")
  func slow() async throws {
    let heads = Recorder<String>()
    let calls = Recorder<Void>()
    let isFirst = Mutex(true)
    let server = try ScriptedServer { peer in
      let closes = isFirst.withLock { first in
        defer { first = false }
        return first
      }
      guard !closes else { return }
      heads.add(try peer.head())
      try peer.send("HTTP/1.1 204 No Content\n\n")
    }
    var transfer = try post(to: server)
    transfer.beforeSending = {
      if calls.values.isEmpty { try await Task.sleep(for: .seconds(2)) }
      calls.add(())
    }
    #expect(try await transport.send(transfer).status == 204)
    #expect(heads.values.count == 1 && calls.values.count == 2)
  }

  @Test(
    "the kernel keeps nothing of a request that must be sent once for after the end of the process, until its response",
    arguments: [true, false])
  func abandoned(once: Bool) async throws {
    let server = try ScriptedServer { peer in
      while true {
        _ = try peer.head()
        _ = try peer.bytes(1)
        try peer.send("HTTP/1.1 200 OK\nContent-Length: 1\n\n" + (Lingering.isSet(to: peer.port) ? "1" : "0"))
      }
    }
    var transfer = try post(to: server)
    transfer.isSentOnce = once
    let response = try await transport.send(transfer)
    #expect(response.body == Array(once ? "1".utf8 : "0".utf8))
    // The connection is kept for others.
    #expect(server.connections == 1 && !Lingering.isSet(to: server.port))
  }
}

/// Looks at the sockets of this process.
private enum Lingering {
  /// Whether a socket that is connected to a port drops what is unsent when it is closed (socket(7), `SO_LINGER`).
  static func isSet(to port: Int) -> Bool {
    (Int32(3)..<1024).contains { descriptor in
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isConnected = unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe getpeername(descriptor, $0, &size) == 0
        }
      }
      guard isConnected, address.sin_family == sa_family_t(AF_INET), UInt16(bigEndian: address.sin_port) == port else {
        return false
      }
      var option = linger()
      size = socklen_t(MemoryLayout<linger>.size)
      return unsafe getsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, &size) == 0 && option.l_onoff == 1
        && option.l_linger == 0
    }
  }
}
