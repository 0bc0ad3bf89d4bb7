import AuthCore
import AuthCurl
import CAuthCurl
import Foundation
import HTTPTypes
import SystemPackage
import TestSupport
import Testing

/// Sends a transfer to a server that records the request and responds with 204.
func recorded(
  _ method: HTTPRequest.Method, _ path: String = "/", environment: [String: String] = [:],
  read: @escaping @Sendable (Peer, String) throws -> [UInt8] = { _, _ in [] },
  change: (inout Transfer) throws -> Void = { _ in }
) async throws -> (head: String, body: [UInt8]) {
  let requests = Recorder<(head: String, body: [UInt8])>()
  let server = try ScriptedServer { peer in
    let head = try peer.head()
    if head.contains("\r\nExpect:") { try peer.send("HTTP/1.1 100 Continue\n\n") }
    requests.add((head, try read(peer, head)))
    try peer.send("HTTP/1.1 204 No Content\n\n")
  }
  var transfer = Transfer(method: method, url: try WebURL(server.base + path))
  try change(&transfer)
  let response = try await CurlTransport(environment: environment).send(transfer)
  #expect(response.status == 204)
  let request = try #require(requests.values.first)
  return (
    request.head.replacingOccurrences(of: "127.0.0.1:\(server.port)", with: "HOST")
      .replacingOccurrences(of: "\r\n", with: "\n"), request.body
  )
}

@Suite struct SendingTests {
  @Test("a GET carries nothing but the host and what it was given, in that order and spelling")
  func plainGet() async throws {
    let request = try await recorded(
      .get, "/a?b=c",
      change: { transfer in
        for (name, value) in [("x-Second", "2"), ("USER-agent", "me"), ("X-Empty", ""), ("accept", "a/b")] {
          transfer.fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
      })
    #expect(
      request.head == "GET /a?b=c HTTP/1.1\nHost: HOST\nx-Second: 2\nUSER-agent: me\nX-Empty:\naccept: a/b\n\n")
  }

  @Test(
    "a method with a meaning for content says that there is none",
    arguments: [HTTPRequest.Method.post, .put, .patch])
  func emptyContent(_ method: HTTPRequest.Method) async throws {
    let request = try await recorded(method)
    #expect(request.head == "\(method.rawValue) / HTTP/1.1\nHost: HOST\nContent-Length: 0\n\n")
  }

  @Test("any token is a method", arguments: ["DELETE", "OPTIONS", "PROPFIND", "get"])
  func anyMethod(_ token: String) async throws {
    let request = try await recorded(try #require(HTTPRequest.Method(token)))
    #expect(request.head == "\(token) / HTTP/1.1\nHost: HOST\n\n")
  }

  @Test("any method may have a body", arguments: ["GET", "POST", "DELETE", "HEAD"])
  func bodyOfAnyMethod(_ token: String) async throws {
    let request = try await recorded(try #require(HTTPRequest.Method(token)), read: { peer, _ in try peer.bytes(3) }) {
      $0.body = .bytes(Array("a=b".utf8))
    }
    #expect(request.head == "\(token) / HTTP/1.1\nHost: HOST\nContent-Length: 3\n\n")
    #expect(request.body == Array("a=b".utf8))
  }

  @Test("bytes arrive whole, and large ones ask to be let in", arguments: [0, 1, (64 << 10) + 1, 3 << 20])
  func bodyBytes(_ count: Int) async throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let request = try await recorded(.post, read: { peer, _ in try peer.bytes(count) }) { $0.body = .bytes(bytes) }
    #expect(request.body == bytes)
    #expect(request.head.contains("Expect: 100-continue") == (count > 1 << 20))
  }

  @Test("a withheld field is not sent")
  func withheldField() async throws {
    let request = try await recorded(.post, read: { peer, _ in try peer.bytes(2 << 20) }) {
      $0.body = .bytes([UInt8](repeating: 1, count: 2 << 20))
      $0.withheldFields = [.expect]
    }
    #expect(!request.head.contains("Expect"))
  }

  @Test("a file is sent from its offset on, and the same again")
  func fileOffset() async throws {
    let file = try temporary(Array("0123456789".utf8))
    defer { try? file.close() }
    for _ in 1...2 {
      let request = try await recorded(.put, read: { peer, _ in try peer.bytes(4) }) {
        $0.body = .file(file, offset: 3, length: 4)
      }
      #expect(request.head.contains("Content-Length: 4\n"))
      #expect(request.body == Array("3456".utf8))
    }
  }

  @Test("a pipe is sent in chunks, and the same again from the spool")
  func pipeBody() async throws {
    let bytes = (0..<3 << 20).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    let pipe = try FileDescriptor.pipe()
    Thread.detachNewThread {
      // A reader that goes early makes the test fail by what it read.
      _ = try? pipe.writeEnd.writeAll(bytes)
      try? pipe.writeEnd.close()
    }
    let spool = Spool(pipe.readEnd, folder: "/tmp")
    for _ in 1...2 {
      let request = try await recorded(.post, read: { peer, _ in try peer.chunks() }) { $0.body = .stream(spool) }
      #expect(request.head.contains("Transfer-Encoding: chunked\n"))
      #expect(!request.head.contains("Content-Length"))
      #expect(request.body == bytes)
    }
    try pipe.readEnd.close()
  }

  @Test("a body that cannot be read is never sent as if it were whole")
  func unreadableBody() async throws {
    let file = try temporary([UInt8](repeating: 1, count: 10))
    defer { try? file.close() }
    let received = Recorder<[UInt8]>()
    let server = try ScriptedServer { peer in
      _ = try peer.head()
      received.add(peer.rests())
    }
    var transfer = Transfer(method: .post, url: try WebURL(server.base + "/"))
    transfer.body = .file(file, offset: 0, length: 20)
    await #expect(throws: TransportError.localFile(detail: "the body's file has become shorter")) {
      try await CurlTransport(environment: [:]).send(transfer)
    }
    transfer.body = .file(FileDescriptor(rawValue: 9999), offset: 0, length: 20)
    await #expect(throws: TransportError.localFile(detail: "cannot read the body: Bad file descriptor")) {
      try await CurlTransport(environment: [:]).send(transfer)
    }
    try await received.wait(for: 1)
    #expect(received.values[0].count < 20)
  }

  @Test("a request for plain HTTP goes to the proxy of the environment")
  func environmentProxy() async throws {
    let heads = Recorder<String>()
    let proxy = try ScriptedServer { peer in
      heads.add(try peer.head())
      try peer.send("HTTP/1.1 200 OK\nContent-Length: 0\n\n")
    }
    let transfer = Transfer(method: .get, url: try WebURL("http://api.invalid/x"))
    _ = try await CurlTransport(environment: ["http_proxy": proxy.base]).send(transfer)
    _ = try await CurlTransport(environment: ["ALL_PROXY": proxy.base]).send(transfer)
    #expect(
      heads.values.map { $0.prefix { $0 != "\r\n" } } == .init(repeating: "GET http://api.invalid/x HTTP/1.1", count: 2)
    )
    await #expect(throws: TransportError.self) {
      try await CurlTransport(environment: ["http_proxy": proxy.base, "no_proxy": ".invalid"]).send(transfer)
    }
    #expect(heads.values.count == 2)
  }

  @Test("a proxy that refuses a tunnel sees no field and leaves the host unreachable")
  func refusedTunnel() async throws {
    let heads = Recorder<String>()
    let proxy = try ScriptedServer { peer in
      heads.add(try peer.head())
      try peer.send("HTTP/1.1 403 Forbidden\nContent-Length: 0\n\n")
    }
    var transfer = Transfer(method: .get, url: try WebURL("https://api.invalid/x"))
    transfer.network.proxy = proxy.base
    transfer.credential = { [HTTPField(name: .authorization, value: "Bearer secret")] }
    do {
      _ = try await CurlTransport(environment: [:]).send(transfer)
      Issue.record("a tunnel was not needed")
    } catch TransportError.unreachable(let detail) {
      #expect(detail.contains("403"))
    }
    #expect(!heads.values.joined().contains("secret"))
  }

  private func temporary(_ bytes: [UInt8]) throws -> FileDescriptor {
    let path = FilePath("/tmp/curl-tests-\(UUID().uuidString)")
    let file = try FileDescriptor.open(
      path, .readWrite, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
    try file.writeAll(bytes)
    try FileManager.default.removeItem(atPath: path.string)
    return file
  }
}
