import Foundation
import HTTPServer
import Synchronization
import SystemPackage

/// A running server, and what its handler has noted.
final class TestServer: Sendable {
  let listener: Listener
  let notes = Notes()
  private let server: Mutex<HTTPServer?> = Mutex(nil)

  /// Starts a server.
  init(
    _ listener: Listener? = nil, limits: ServerLimits = ServerLimits(),
    welcoming welcomes: @escaping @Sendable (ServerPeer) -> Bool = { _ in true },
    handler: @escaping @Sendable (ServerExchange, Notes) async -> Void
  ) async throws {
    self.listener = try listener ?? .tcp()
    let notes = notes
    let server = HTTPServer([self.listener.descriptor], limits: limits, welcoming: welcomes) {
      await handler($0, notes)
    }
    try await server.start()
    self.server.withLock { $0 = server }
  }

  var connectionCount: Int { server.withLock { $0 }?.connectionCount ?? 0 }

  func connect() throws -> RawClient { try RawClient(listener) }

  /// Sends a request on a connection of its own, and returns all that comes back.
  func exchange(_ request: [UInt8]) async throws -> String {
    let client = try connect()
    client.send(request)
    return try await client.receiveAll()
  }

  func stop(grace: Duration = .zero) async { await server.withLock { $0 }?.stop(grace: grace) }
}

/// Texts that one part of a test notes, and another awaits.
final class Notes: Sendable {
  private let texts = Mutex<[String]>([])

  var all: [String] { texts.withLock { $0 } }

  func add(_ text: String) { texts.withLock { $0.append(text) } }

  /// Notes an error by its name.
  func add(_ error: any Error) {
    switch error as? Errno {
    case .timedOut: add("timed out")
    case .connectionReset: add("reset")
    default: add("\(error)")
    }
  }

  /// Waits until a text has been noted; gives up after 30 s.
  func wait(for text: String) async -> Bool {
    for _ in 0..<3000 {
      if all.contains(text) { return true }
      do { try await Task.sleep(for: .milliseconds(10)) } catch { return false }
    }
    return false
  }
}

/// Runs a function that blocks on a thread of its own.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    Thread { continuation.resume(returning: work()) }.start()
  }
}

extension ServerExchange {
  /// Reads the body to its end in small pieces.
  func readAll() throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1000)
    while true {
      let count = try read(&buffer)
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }

  private func read(_ buffer: inout [UInt8]) throws -> Int {
    while true {
      if let count = try unsafe buffer.withUnsafeMutableBytes({ unsafe try readNow(into: $0) }) { return count }
      let arrival = DispatchSemaphore(value: 0)
      whenReadable { arrival.signal() }
      arrival.wait()
    }
  }

  /// Responds with the method, the target and the body.
  func echo() async {
    do {
      let body = try await readBody(upTo: 1 << 20)
      let text = "\(request.method) \(request.target) \(String(decoding: body.bytes, as: UTF8.self))"
      respond(status: 200, fields: [], body: Array(text.utf8))
    } catch {
      // The server has responded.
    }
  }
}
