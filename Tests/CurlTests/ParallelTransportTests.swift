import AuthCore
import Curl
import Foundation
import HTTPTypes
import SystemPackage
import TestSupport
import Testing

@Suite struct ParallelTransportTests {
  /// Responds to each request with its path, as long as the client keeps the connection.
  private func server() throws -> ScriptedServer {
    try ScriptedServer { peer in
      while true {
        let path = String(try peer.head().split(separator: " ")[1])
        if path == "/hang" { _ = peer.rests() }
        if path == "/drop" { return }
        try peer.send("HTTP/1.1 200 OK\nContent-Length: \(path.utf8.count)\n\n\(path)")
      }
    }
  }

  private func get(
    _ transport: ParallelCurlTransport, _ url: String, change: (inout Transfer) -> Void = { _ in }
  ) async throws -> String {
    var transfer = Transfer(method: .get, url: try WebURL(url))
    change(&transfer)
    return String(decoding: try await transport.send(transfer).body, as: UTF8.self)
  }

  @Test func `many at a time each get their own response`() async throws {
    let server = try server()
    let transport = ParallelCurlTransport(environment: [:])
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask { try await get(transport, "\(server.base)/\(number)") == "/\(number)" }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }

  @Test func `connections are kept, also over a time in which nothing is sent`() async throws {
    let server = try server()
    let transport = ParallelCurlTransport(environment: [:])
    for number in 0..<10 { #expect(try await get(transport, "\(server.base)/\(number)") == "/\(number)") }
    // Longer than its thread stays without work.
    try await Task.sleep(for: .milliseconds(1500))
    #expect(try await get(transport, "\(server.base)/x") == "/x")
    #expect(server.connections == 1)
  }

  @Test func `one that hangs, one that breaks, and one that is refused do not affect the others`() async throws {
    let server = try server()
    let dead = try ScriptedServer { _ in }
    dead.stop()
    let transport = ParallelCurlTransport(environment: [:])
    let hanging = Task { try await get(transport, "\(server.base)/hang") { $0.network.timeout = .milliseconds(300) } }
    let dropped = Task { try await get(transport, "\(server.base)/drop") }
    for number in 0..<20 { #expect(try await get(transport, "\(server.base)/\(number)") == "/\(number)") }
    let slow = await #expect(throws: TransportError.self) { try await hanging.value }
    guard case .timedOut? = slow else {
      Issue.record("\(String(describing: slow))")
      return
    }
    let broken = await #expect(throws: TransportError.self) { try await dropped.value }
    guard case .broken? = broken else {
      Issue.record("\(String(describing: broken))")
      return
    }
    #expect(try await get(transport, "\(server.base)/after") == "/after")
  }

  @Test func `a cancelled task ends at once, and the others continue`() async throws {
    let server = try server()
    let transport = ParallelCurlTransport(environment: [:])
    let hanging = Task { try await get(transport, "\(server.base)/hang") }
    #expect(try await get(transport, "\(server.base)/a") == "/a")
    let begin = ContinuousClock.now
    hanging.cancel()
    await #expect(throws: CancellationError.self) { try await hanging.value }
    #expect(begin.duration(to: .now) < .seconds(5))
    #expect(try await get(transport, "\(server.base)/b") == "/b")
  }

  @Test func `the credential is on the request, and where there is none, nothing is sent`() async throws {
    struct Refused: Error {}
    let heads = Recorder<String>()
    let server = try ScriptedServer { peer in
      heads.add(try peer.head())
      try peer.send("HTTP/1.1 204 No Content\n\n")
    }
    let transport = ParallelCurlTransport(environment: [:])
    _ = try await get(transport, server.base + "/") {
      $0.credential = { [HTTPField(name: .authorization, value: "Bearer T")] }
    }
    #expect(heads.values.first?.contains("\r\nAuthorization: Bearer T\r\n") == true)
    await #expect(throws: Refused.self) {
      try await get(transport, server.base + "/") { $0.credential = { throw Refused() } }
    }
    #expect(heads.values.count == 1)
  }

  @Test func `a body in memory and one from a file are sent`() async throws {
    let bodies = Recorder<[UInt8]>()
    let server = try ScriptedServer { peer in
      _ = try peer.head()
      bodies.add(try peer.bytes(4))
      try peer.send("HTTP/1.1 204 No Content\n\n")
    }
    let path = FilePath("/tmp/curl-tests-\(UUID().uuidString)")
    let file = try FileDescriptor.open(
      path, .readWrite, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
    try FileManager.default.removeItem(atPath: path.string)
    try file.writeAll(Array("file".utf8))
    defer { try? file.close() }
    let transport = ParallelCurlTransport(environment: [:])
    for body in [RequestBody.bytes(Array("data".utf8)), .file(file, offset: 0, length: 4)] {
      _ = try await get(transport, server.base + "/") {
        $0.method = .put
        $0.body = body
      }
    }
    #expect(bodies.values == [Array("data".utf8), Array("file".utf8)])
  }
}
