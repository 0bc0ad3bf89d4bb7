import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("a refresh that is killed while its request is on the way, end to end")
struct KilledRefreshTests {
  /// The bytes that are written to connections to a port, and which the kernel has still to send (proc_net_tcp(5): the
  /// third word is where a socket is connected to, the fifth begins with their number).
  private func unsent(to port: Int) throws -> Int {
    let peer = String(format: "0100007F:%04X", port)
    return try KernelFile.text("/proc/net/tcp").split(separator: "\n").map { $0.split(separator: " ") }.filter {
      $0[2] == peer
    }
    .compactMap { Int($0[4].prefix(8), radix: 16) }.reduce(0, +)
  }

  /// Answers a request with a pair of tokens.
  private static func issue(_ refreshToken: String, to peer: Peer) throws {
    let body = #"{"access_token":"a","refresh_token":"\#(refreshToken)","token_type":"Bearer","expires_in":600}"#
    try peer.send(
      "HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: \(body.utf8.count)\nConnection: close\n\n")
    try peer.send(Array(body.utf8))
  }

  /// What the server knows.
  private struct Seen {
    /// Whether the first refresh is dead, whose request may be read from then on.
    var isKilled = false
    /// What came on each connection.
    var requests: [String] = []
  }

  @Test("the kernel sends nothing of it later: the next process sends a token that the server has never seen")
  func notDelivered() throws {
    let place = try Workplace()
    let seen = Mutex(Seen())
    // More than the kernel takes for a server that does not read.
    let token = "first-" + String(repeating: "r", count: 12_000) + "-last"
    let server = try ScriptedServer(window: 1024) { peer in
      guard seen.withLock(\.isKilled) || seen.withLock(\.requests.isEmpty) else {
        try Waiting.until("the end of the first process") { seen.withLock(\.isKilled) }
        let rest = String(decoding: peer.rests(), as: UTF8.self)
        return seen.withLock { $0.requests.append(rest) }
      }
      peer.widenWindow()
      let head = try peer.head()
      let length = head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length: ") }?.dropFirst(16)
      let body = try peer.bytes(length.flatMap { Int($0) } ?? 0)
      seen.withLock { $0.requests.append(String(decoding: body, as: UTF8.self)) }
      try Self.issue(seen.withLock(\.isKilled) ? "second" : token, to: peer)
    }
    try place.makeProfile("work", tables: "[endpoints]\ntoken = \"\(server.base)/token\"\n")
    // Nothing is discovered.
    let lines = try String(contentsOf: place.file(), encoding: .utf8).split(separator: "\n").dropFirst()
    try Data(lines.joined(separator: "\n").utf8).write(to: place.file())
    try place.logIn()
    let run = try place.start(["refresh", "work"])
    try Waiting.until("a request that is sent in part: \(run.errorSoFar)") { try unsent(to: server.port) > 0 }
    try run.killWithRefresh()
    seen.withLock { $0.isKilled = true }
    try Waiting.until("the rest of its request") { seen.withLock(\.requests.count) == 2 }
    let outcome = try place.run("refresh", "work")
    outcome.expect(0)
    #expect(seen.withLock { $0.requests.map { $0.contains("-last") } } == [false, false, true])
  }
}
