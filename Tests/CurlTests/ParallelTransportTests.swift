import AuthCore
import AuthCurl
import Foundation
import HTTPTypes
import Synchronization
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

  @Test("many at a time each get their own response")
  func manyAtOnce() async throws {
    let server = try server()
    let transport = ParallelCurlTransport(environment: [:])
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask { try await get(transport, "\(server.base)/\(number)") == "/\(number)" }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }

  /// Requests over HTTP/2, and what they used.
  private final class HTTP2Client: Sendable {
    private let transport = ParallelCurlTransport(environment: [:], limit: 20)
    private let origin: String
    private let certificate: String
    private let connections = Mutex(0)
    private let versions = Mutex(Set<String>())

    init(_ server: HTTP2Server) { (origin, certificate) = (server.origin, server.certificate) }

    var connectionCount: Int { connections.withLock { $0 } }
    var usedVersions: Set<String> { versions.withLock { $0 } }

    func get(_ path: String) async throws -> String {
      var transfer = Transfer(method: .get, url: try WebURL(origin + path))
      transfer.network.cacert = certificate
      transfer.credential = { [HTTPField(name: .authorization, value: "Bearer T")] }
      transfer.report = { [self] report in
        connections.withLock { $0 += report.newConnections }
        _ = versions.withLock { $0.insert(report.httpVersion) }
      }
      return String(decoding: try await transport.send(transfer).body, as: UTF8.self)
    }

    /// Gets a file, before it another one in vain: cancelled, or missing.
    func getRight(_ number: Int) async throws -> Bool {
      if number % 10 == 3 {
        let task = Task { try await get("/\(number)") }
        task.cancel()
        // Whether it was sent is a matter of time.
        _ = try? await task.value
      }
      if number % 10 == 7, try await !get("/missing").contains("404") { return false }
      return try await get("/\(number)") == "\(number)"
    }
  }

  @Test("many at a time over HTTP/2 share connections; failures and cancelled tasks do not affect the others")
  func manyOverHTTP2() async throws {
    let server = try HTTP2Server(files: 0..<100)
    let client = HTTP2Client(server)
    // The handles are used again while others' requests are on the same connection.
    for _ in 0..<5 {
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<100 { group.addTask { try await client.getRight(number) } }
        for try await isRight in group { #expect(isRight) }
      }
    }
    #expect(client.usedVersions == ["2"])
    #expect((1...20).contains(client.connectionCount))
    withExtendedLifetime(server) {}
  }

  @Test("connections are kept, also over a time in which nothing is sent")
  func keptConnections() async throws {
    let server = try server()
    let transport = ParallelCurlTransport(environment: [:])
    for number in 0..<10 { #expect(try await get(transport, "\(server.base)/\(number)") == "/\(number)") }
    // Longer than its thread stays without work.
    try await Task.sleep(for: .milliseconds(1500))
    #expect(try await get(transport, "\(server.base)/x") == "/x")
    #expect(server.connections == 1)
  }

  @Test("one that hangs, one that breaks, and one that is refused do not affect the others")
  func independentFailures() async throws {
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

  @Test("a cancelled task ends, and the others continue")
  func cancelledTask() async throws {
    let server = try server()
    let transport = ParallelCurlTransport(environment: [:])
    let hanging = Task { try await get(transport, "\(server.base)/hang") }
    #expect(try await get(transport, "\(server.base)/a") == "/a")
    hanging.cancel()
    await #expect(throws: CancellationError.self) { try await hanging.value }
    #expect(try await get(transport, "\(server.base)/b") == "/b")
  }

  @Test("no more run at a time than the limit, and each that waits starts when one ends")
  func limit() async throws {
    let running = Mutex(0)
    let most = Mutex(0)
    let server = try ScriptedServer { peer in
      while true {
        let path = String(try peer.head().split(separator: " ")[1])
        let now = running.withLock { running in
          running += 1
          return running
        }
        most.withLock { $0 = max($0, now) }
        // Until as many run as may, nothing ends.
        while most.withLock({ $0 }) < 3 { usleep(1000) }
        running.withLock { $0 -= 1 }
        try peer.send("HTTP/1.1 200 OK\nContent-Length: \(path.utf8.count)\n\n\(path)")
      }
    }
    let transport = ParallelCurlTransport(environment: [:], limit: 3)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<30 {
        group.addTask { try await get(transport, "\(server.base)/\(number)") == "/\(number)" }
      }
      for try await isRight in group { #expect(isRight) }
    }
    #expect(most.withLock { $0 } == 3)
    #expect(server.connections == 3)
  }

  @Test("one that is cancelled while it waits for another ends at once, and is never sent")
  func cancelledInQueue() async throws {
    let paths = Recorder<String>()
    let server = try ScriptedServer { peer in
      while true {
        let path = String(try peer.head().split(separator: " ")[1])
        paths.add(path)
        if path == "/hang" { _ = peer.rests() }
        try peer.send("HTTP/1.1 200 OK\nContent-Length: \(path.utf8.count)\n\n\(path)")
      }
    }
    let transport = ParallelCurlTransport(environment: [:], limit: 1)
    let (starts, start) = AsyncStream<Void>.makeStream()
    let hanging = Task { try await get(transport, "\(server.base)/hang") { $0.begun = { start.yield() } } }
    for await _ in starts { break }
    let waiting = Task { try await get(transport, "\(server.base)/never") }
    let last = Task { try await get(transport, "\(server.base)/last") }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    hanging.cancel()
    await #expect(throws: CancellationError.self) { try await hanging.value }
    #expect(try await last.value == "/last")
    #expect(!paths.values.contains("/never"))
  }

  @Test("one that is cancelled while its credential is fetched ends, and is never sent")
  func cancelledBeforeCredential() async throws {
    let server = try ScriptedServer { peer in
      _ = try peer.head()
      try peer.send("HTTP/1.1 204 No Content\n\n")
    }
    let transport = ParallelCurlTransport(environment: [:])
    let task = Task {
      try await get(transport, server.base + "/") {
        $0.credential = {
          unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
          return []
        }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.connections == 0)
  }

  @Test("the credential is on the request, and where there is none, nothing is sent")
  func credential() async throws {
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

  @Test("a body in memory and one from a file are sent")
  func bodySources() async throws {
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
