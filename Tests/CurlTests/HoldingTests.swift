import AuthCore
import AuthCurl
import Foundation
import HTTPTypes
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite struct HoldingTests {
  /// What a response's body became, and what `decide` was given.
  private func held(_ body: String, limit: Int, length: Int? = nil, stalls: Bool = false) async throws -> (
    written: String, seen: [Int?], failed: Bool
  ) {
    let path = FileManager.default.temporaryDirectory.appending(path: "hold-\(UUID().uuidString)").path
    let file = try FileDescriptor.open(
      FilePath(path), .readWrite, options: [.create, .exclusiveCreate], permissions: [.ownerReadWrite])
    defer { try? file.close() }
    try FileManager.default.removeItem(atPath: path)
    let seen = Mutex<[Int?]>([])
    var failed = false
    do {
      let text = "HTTP/1.1 200 OK\nContent-Length: \(length ?? body.utf8.count)\n\n" + body
      let server = try ScriptedServer { peer in
        _ = try peer.head()
        try peer.send(text)
        if stalls { _ = peer.rests() }
      }
      var transfer = Transfer(method: .get, url: try WebURL(server.base + "/"))
      if stalls { transfer.network.timeout = .seconds(3) }
      transfer.destination = { _ in
        .hold(limit: limit) { whole in
          seen.withLock { $0.append(whole?.count) }
          return .write(to: file)
        }
      }
      _ = try await CurlTransport(environment: [:]).send(transfer)
    } catch is TransportError {
      failed = true
    }
    let size = try file.seek(offset: 0, from: .end)
    let data = FileHandle(fileDescriptor: file.rawValue, closeOnDealloc: false)
    try data.seek(toOffset: 0)
    let written = String(decoding: try data.readToEnd() ?? Data(), as: UTF8.self)
    #expect(size == written.utf8.count)
    return (written, seen.withLock { $0 }, failed)
  }

  @Test("a body within the limit is looked at whole, then goes where it belongs")
  func shortBody() async throws {
    let result = try await held("0123456789", limit: 10)
    #expect(result.written == "0123456789" && result.seen == [10] && !result.failed)
  }

  @Test("a longer body is not looked at and loses nothing")
  func longBody() async throws {
    let body = String(repeating: "0123456789", count: 20_000)
    let result = try await held(body, limit: 65_536)
    #expect(result.written == body && result.seen == [nil] && !result.failed)
  }

  @Test("an empty body is looked at too")
  func emptyBody() async throws {
    let result = try await held("", limit: 10)
    #expect(result.written == "" && result.seen == [0] && !result.failed)
  }

  @Test("the received part of a body that breaks off is not lost")
  func brokenBody() async throws {
    let result = try await held("0123", limit: 10, length: 8)
    #expect(result.written == "0123" && result.seen == [nil] && result.failed)
  }

  @Test("the part that was received before the timeout is not lost")
  func timedOutBody() async throws {
    let result = try await held("0123", limit: 10, length: 8, stalls: true)
    #expect(result.written == "0123" && result.seen == [nil] && result.failed)
  }
}
