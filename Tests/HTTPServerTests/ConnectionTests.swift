import Foundation
import Glibc
import Synchronization
import SystemPackage
import Testing

@testable import HTTPServer

@Suite("connections, and their limits")
struct ConnectionTests {
  private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

  /// The default limits but for one.
  private func limits(_ change: (inout ServerLimits) -> Void) -> ServerLimits {
    var limits = ServerLimits()
    change(&limits)
    return limits
  }

  @Test("a slow head gets 408", arguments: ["G", "GET / HTTP/1.1\r\nHost: a\r\n", "\r\nG"])
  func slowHead(_ start: String) async throws {
    let server = try await TestServer(limits: limits { $0.headTime = .milliseconds(100) }) { exchange, notes in
      notes.add("called")
      await exchange.echo()
    }
    let text = try await server.exchange(Array(start.utf8))
    #expect(text.hasPrefix("HTTP/1.1 408 Request Timeout\r\n") && text.contains("Connection: close"))
    #expect(server.notes.all.isEmpty)
    await server.stop()
  }

  @Test("a slow second head gets 408 after the response to the first request")
  func slowSecondHead() async throws {
    let server = try await TestServer(limits: limits { $0.headTime = .milliseconds(100) }) { exchange, _ in
      await exchange.echo()
    }
    let text = try await server.exchange(Array((Self.get + "GET /").utf8))
    #expect(text.hasPrefix("HTTP/1.1 200") && text.contains("HTTP/1.1 408"))
    await server.stop()
  }

  @Test("an idle connection is closed without a response", arguments: ["", "\r\n", get])
  func idle(_ start: String) async throws {
    let server = try await TestServer(limits: limits { $0.idleTime = .milliseconds(100) }) { exchange, _ in
      await exchange.echo()
    }
    let text = try await server.exchange(Array(start.utf8))
    #expect(start == Self.get ? text.hasPrefix("HTTP/1.1 200") && text.hasSuffix("GET / ") : text.isEmpty)
    await server.stop()
  }

  @Test(
    "a slow body ends its exchange",
    arguments: ["Content-Length: 9\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"])
  func slowBody(_ start: String) async throws {
    let server = try await TestServer(limits: limits { $0.pieceTime = .milliseconds(100) }) { exchange, notes in
      exchange.whenGone { notes.add("gone") }
      await onThread {
        do { _ = try exchange.readAll() } catch { notes.add(error) }
      }
    }
    #expect(try await server.exchange(Array(("POST / HTTP/1.1\r\nHost: a\r\n" + start).utf8)).isEmpty)
    #expect(await server.notes.wait(for: "timed out"))
    #expect(await server.notes.wait(for: "gone"))
    await server.stop()
  }

  @Test("a client that does not read ends its exchange", arguments: [AF_INET, AF_UNIX])
  func slowReader(_ family: Int32) async throws {
    let listener = try family == AF_UNIX ? Listener.unix() : Listener.tcp()
    let server = try await TestServer(listener, limits: limits { $0.pieceTime = .milliseconds(200) }) {
      exchange, notes in
      await onThread {
        do {
          try exchange.begin(status: 200, fields: [])
          while true { try exchange.write([UInt8](repeating: 0, count: 100_000)) }
        } catch { notes.add(error) }
      }
    }
    let client = try server.connect()
    client.send(Self.get)
    #expect(await server.notes.wait(for: "timed out"))
    await server.stop()
    _ = client
  }

  @Test("a body that is not read stops the client")
  func backPressure() async throws {
    let server = try await TestServer { exchange, notes in
      guard await notes.wait(for: "stopped") else { return }
      await onThread {
        do { notes.add("\(try exchange.readAll().count)") } catch { notes.add(error) }
      }
      exchange.respond(status: 200, fields: [], body: [])
    }
    let client = try server.connect()
    let size = 32 << 20
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n")
    // The client fills the buffers of the kernel until nothing more is taken.
    var time = timeval(tv_sec: 0, tv_usec: 300_000)
    _ = unsafe setsockopt(client.socket, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    let piece = [UInt8](repeating: 0, count: 1 << 16)
    var sent = 0
    while sent < size {
      let count = unsafe piece.withUnsafeBytes {
        unsafe Glibc.send(client.socket, $0.baseAddress, min(size - sent, $0.count), 0)
      }
      guard count > 0 else { break }
      sent += count
    }
    #expect(sent < 16 << 20)
    server.notes.add("stopped")
    time.tv_sec = 30
    _ = unsafe setsockopt(client.socket, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    await client.sendAll([UInt8](repeating: 0, count: size - sent))
    #expect(try await client.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
    #expect(server.notes.all.contains("\(size)"))
    await server.stop()
  }

  @Test(
    "a client that closes its output after its requests gets its responses", arguments: [AF_INET, AF_INET6, AF_UNIX])
  func halfClose(_ family: Int32) async throws {
    let server = try await TestServer(family == AF_UNIX ? Listener.unix() : Listener.tcp(family)) { exchange, notes in
      exchange.whenGone { notes.add("gone") }
      guard await notes.wait(for: "closed") else { return }
      // Longer than the first looks for the end of the client.
      do { try await Task.sleep(for: .milliseconds(200)) } catch { return }
      await exchange.echo()
    }
    let client = try server.connect()
    client.send(Self.get + Self.get)
    client.closeOutput()
    server.notes.add("closed")
    #expect(try await client.receiveAll().components(separatedBy: "GET / ").count == 3)
    #expect(server.notes.all == ["closed"])
    await server.stop()
  }

  @Test(
    "a client that goes away early is reported", arguments: [AF_INET, AF_INET6, AF_UNIX],
    [get, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc"])
  func gone(family: Int32, request: String) async throws {
    let server = try await TestServer(family == AF_UNIX ? Listener.unix() : Listener.tcp(family)) { exchange, notes in
      notes.add("called")
      await withCheckedContinuation { continuation in exchange.whenGone { continuation.resume() } }
      exchange.whenGone { notes.add("gone") }
      do { try exchange.begin(status: 200, fields: []) } catch { notes.add(error) }
    }
    var client: RawClient? = try server.connect()
    client?.send(request)
    #expect(await server.notes.wait(for: "called"))
    client = nil
    #expect(await server.notes.wait(for: "reset"))
    #expect(server.notes.all == ["called", "gone", "reset"])
    await server.stop()
  }

  @Test("a client that has closed its output and then goes away is reported")
  func goneLater() async throws {
    let server = try await TestServer { exchange, notes in
      notes.add("called")
      await withCheckedContinuation { continuation in exchange.whenGone { continuation.resume() } }
      notes.add("gone")
    }
    var client: RawClient? = try server.connect()
    client?.send(Self.get)
    client?.closeOutput()
    #expect(await server.notes.wait(for: "called"))
    client = nil
    #expect(await server.notes.wait(for: "gone"))
    await server.stop()
  }

  @Test("a connection above the limit gets 503")
  func tooMany() async throws {
    let server = try await TestServer(limits: limits { $0.connections = 2 }) { exchange, _ in await exchange.echo() }
    var clients = [try server.connect(), try server.connect()]
    for client in clients {
      client.send(Self.get)
      _ = try await client.receive(until: "GET / ")
    }
    let refused = try await server.exchange(Array(Self.get.utf8))
    #expect(refused.hasPrefix("HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n"))
    #expect(refused.contains("Connection: close"))
    #expect(server.connectionCount >= 2)
    clients[0].send(Self.get)
    _ = try await clients[0].receive(until: "GET / ")
    clients = []
    while server.connectionCount > 0 { try await Task.sleep(for: .milliseconds(10)) }
    let client = try server.connect()
    client.send(Self.get)
    #expect(try await client.receive(until: "GET / ").hasPrefix("HTTP/1.1 200"))
    await server.stop()
  }

  @Test("connections of strangers do not use up the limit, and few of them can be open")
  func strangers() async throws {
    let strangers = Mutex(100)
    let server = try await TestServer(
      limits: limits { $0.connections = 2 },
      welcoming: { _ in
        strangers.withLock { left in
          left -= 1
          return left < 0
        }
      }, handler: { exchange, _ in await exchange.echo() })
    let others = try (0..<100).map { _ in try server.connect() }
    let client = try server.connect()
    client.send(Self.get)
    #expect(try await client.receive(until: "GET / ").hasPrefix("HTTP/1.1 200"))
    #expect(server.connectionCount <= 1 + 64)
    withExtendedLifetime(others) {}
    await server.stop()
  }

  @Test("the kernel's answer about the other end is that of its tables", arguments: [false, true])
  func lookup(isMapped: Bool) throws {
    let (listening, port) = try ListeningSocket.tcp(.ip4, port: 0)
    defer { try? listening.close() }
    let client = Glibc.socket(isMapped ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let high = UInt8(port >> 8), low = UInt8(port & 0xFF)
    // `struct sockaddr_in`, or `sockaddr_in6` with ::ffff:127.0.0.1.
    var place: [UInt8] =
      isMapped
      ? [UInt8(AF_INET6), 0, high, low] + [UInt8](repeating: 0, count: 14) + [255, 255, 127, 0, 0, 1, 0, 0, 0, 0]
      : [UInt8(AF_INET), 0, high, low, 127, 0, 0, 1] + [UInt8](repeating: 0, count: 8)
    let connected = unsafe place.withUnsafeMutableBytes { bytes in
      unsafe bytes.withMemoryRebound(to: sockaddr.self) { address in
        unsafe connect(client, address.baseAddress, socklen_t(bytes.count))
      }
    }
    try #require(connected == 0, "\(Errno(rawValue: errno))")
    var accepted: AcceptedSocket?
    while accepted == nil { accepted = try? AcceptedSocket(from: listening, listener: 0) }
    let socket = try #require(accepted?.descriptor)
    let remote = try #require(Endpoint.remote(of: socket)), local = try #require(Endpoint.local(of: socket))
    #expect(PeerLookup(remote: remote, local: local)?.uid == geteuid())
    #expect(PeerLookup(inTables: remote, local)?.uid == geteuid())
    #expect(PeerLookup(remote: local, local: local) == nil)
    Glibc.close(client)
    let look = { (find: () -> PeerLookup?) in find().map(\.uid) == .some(nil) || find() == nil }
    while !look({ PeerLookup(remote: remote, local: local) }) { usleep(1000) }
    #expect(look { PeerLookup(inTables: remote, local) })
    try socket.close()
  }

  @Test("a stop closes idle connections, and others after their response")
  func stop() async throws {
    let server = try await TestServer { exchange, notes in
      notes.add("called")
      if await notes.wait(for: "idle closed") { await exchange.echo() }
    }
    let idle = try server.connect()
    let busy = try server.connect()
    busy.send(Self.get)
    #expect(await server.notes.wait(for: "called"))
    async let stopped: Void = server.stop(grace: .seconds(60))
    #expect(try await idle.receiveAll().isEmpty)
    #expect(throws: Errno.connectionRefused) { _ = try server.connect() }
    server.notes.add("idle closed")
    let text = try await busy.receiveAll()
    #expect(text.hasPrefix("HTTP/1.1 200") && text.contains("Connection: close") && text.hasSuffix("GET / "))
    await stopped
    #expect(server.connectionCount == 0)
  }

  @Test("a stop closes all connections after its grace")
  func stopWithoutPatience() async throws {
    let server = try await TestServer { exchange, notes in
      notes.add("called")
      await withCheckedContinuation { continuation in exchange.whenGone { continuation.resume() } }
      notes.add("gone")
    }
    let client = try server.connect()
    client.send(Self.get)
    #expect(await server.notes.wait(for: "called"))
    await server.stop(grace: .milliseconds(50))
    #expect(try await client.receiveAll().isEmpty)
    #expect(await server.notes.wait(for: "gone"))
  }

  @Test("the user of the client is known", arguments: ["tcp", "tcp6", "mapped", "unix"])
  func peer(_ kind: String) async throws {
    let listener = try kind == "unix" ? Listener.unix() : Listener.tcp(kind == "tcp6" ? AF_INET6 : AF_INET)
    let server = try await TestServer(listener) { exchange, notes in
      let peer = exchange.request.peer
      notes.add("\(peer.uid.map(String.init) ?? "nil") \(peer.isUnixSocket) \(exchange.request.listener)")
      await exchange.echo()
    }
    let client = try kind == "mapped" ? RawClient(listener.mapped) : server.connect()
    client.send(Self.get)
    _ = try await client.receive(until: "GET / ")
    #expect(server.notes.all == ["\(getuid()) \(kind == "unix") 0"])
    await server.stop()
  }

  @Test("the user of a socket that no process has any more is unknown, although the kernel reports user 0")
  func closedPeer() async throws {
    let server = try await TestServer { exchange, notes in
      notes.add(exchange.request.peer.uid.map(String.init) ?? "nil")
    }
    var client: RawClient? = try server.connect()
    client?.send("\r\n")
    while server.connectionCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
    client?.send(Self.get)
    client = nil
    // Either is possible: the server may have looked before the end of the client.
    while server.connectionCount > 0 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(server.notes.all.allSatisfy { $0 == "nil" || $0 == "\(getuid())" })
    await server.stop()
  }

  @Test("an accepted socket is closed when the process runs another program")
  func closeOnExec() async throws {
    let server = try await TestServer { exchange, _ in await exchange.echo() }
    let client = try server.connect()
    client.send(Self.get)
    _ = try await client.receive(until: "GET / ")
    var own = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = unsafe withUnsafeMutablePointer(to: &own) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(client.socket, $0, &size) }
    }
    var found = 0
    for descriptor in Int32(3)..<65536 {
      var peer = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = unsafe withUnsafeMutablePointer(to: &peer) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getpeername(descriptor, $0, &size) }
      }
      guard result == 0, peer.sin_family == sa_family_t(AF_INET), peer.sin_port == own.sin_port else { continue }
      found += 1
      #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }
    #expect(found == 1)
    await server.stop()
  }
}
