import AuthCore
import AuthCurl
import Foundation
import HTTPTypes
import SystemPackage
import TestSupport
import Testing

@Suite struct ReportTests {
  @Test("a transfer that has ended is reported with its sizes, ends and times")
  func ended() async throws {
    let reports = Recorder<TransferReport>()
    let response = try await response("HTTP/1.1 200 OK\nContent-Length: 5\nX-A: b\n\nhello", method: .post) {
      $0.body = .bytes(Array("abc".utf8))
      $0.report = { reports.add($0) }
    }
    let report = try #require(reports.values.first)
    #expect(reports.values.count == 1)
    #expect(report.response.status == 200 && report.response.rawHeader == response.rawHeader)
    #expect(report.method == .post && report.httpVersion == "1.1" && report.newConnections == 1)
    #expect(report.sizes.received == 5 && report.sizes.sent == 3)
    #expect(report.sizes.responseHeader == Int64(response.rawHeader.count))
    #expect(report.sizes.request > 3)
    #expect(report.remote.address == "127.0.0.1" && report.remote.port == report.url.origin.port)
    #expect(report.local.address == "127.0.0.1" && report.local.port > 0)
    #expect(report.times.connect > .zero && report.times.connect <= report.times.preTransfer)
    #expect(report.times.preTransfer <= report.times.startTransfer && report.times.startTransfer <= report.times.total)
    #expect(report.times.handshake == .zero && report.verification == 0 && report.connectStatus == 0)
    #expect(report.library().hasPrefix("libcurl/"))
  }

  @Test("a failed transfer is reported as far as it went")
  func failed() async throws {
    let reports = Recorder<TransferReport>()
    let failure = try await failure("HTTP/1.1 200 OK\nContent-Length: 50\n\nhello") { $0.report = { reports.add($0) } }
    #expect(failure != nil)
    #expect(reports.values.map(\.response.status) == [200])
    #expect(reports.values.first?.sizes.received == 5)
  }

  @Test("without an observer, the report is of the request alone")
  func noObserver() async throws {
    let server = try ScriptedServer { _ in }
    server.stop()
    let reports = Recorder<TransferReport>()
    var transfer = Transfer(method: .get, url: try WebURL("http://127.0.0.1:1/"))
    transfer.report = { reports.add($0) }
    await #expect(throws: TransportError.self) { try await CurlTransport(environment: [:]).send(transfer) }
    let report = try #require(reports.values.first)
    #expect(report.response.status == 0 && report.httpVersion == "0" && report.remote == TransferReport.Endpoint())
    #expect(report.url == transfer.url && report.newConnections == 0)
  }

  @Test("the second transfer over a kept connection is not reported with what the first did")
  func keptConnection() async throws {
    let server = try ScriptedServer { peer in
      while true {
        _ = try peer.head()
        try peer.send("HTTP/1.1 200 OK\nContent-Length: 2\n\nok")
      }
    }
    let reports = Recorder<TransferReport>()
    let transport = CurlTransport(environment: [:])
    var transfer = Transfer(method: .get, url: try WebURL(server.base + "/"))
    transfer.report = { reports.add($0) }
    for _ in 0..<2 { _ = try await transport.send(transfer) }
    #expect(reports.values.map(\.newConnections) == [1, 0])
    #expect(reports.values[0].sizes == reports.values[1].sizes)
  }

  @Test("progress is reported during the transfer, and at its end")
  func progress() async throws {
    let steps = Recorder<TransferProgress>()
    let server = try ScriptedServer { peer in
      _ = try peer.head()
      try peer.send("HTTP/1.1 200 OK\nContent-Length: 6\n\nabc")
      // The client says when it has seen the first half.
      while !steps.values.contains(where: { $0.received == 3 }) { usleep(2000) }
      try peer.send("def")
    }
    var transfer = Transfer(method: .get, url: try WebURL(server.base + "/"))
    transfer.progress = { steps.add($0) }
    _ = try await CurlTransport(environment: [:]).send(transfer)
    #expect(steps.values.contains(TransferProgress(received: 3, toReceive: 6, sent: 0, toSend: 0)))
    #expect(steps.values.last == TransferProgress(received: 6, toReceive: 6, sent: 0, toSend: 0))
  }

  @Test("a body that is changed on its way is written as the change says, and its error ends the transfer")
  func changedBody()
    async throws
  {
    struct Enough: Error {}
    let path = FileManager.default.temporaryDirectory.appending(path: "change-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let file = try FileDescriptor.open(
      FilePath(path), .writeOnly, options: [.create, .exclusiveCreate], permissions: [.ownerReadWrite])
    defer { try? file.close() }
    let text = "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello"
    _ = try await response(text) { $0.destination = { _ in .change(by: { $0.map { $0 - 32 } }, to: file) } }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "HELLO")
    await #expect(throws: Enough.self) {
      try await response(text) { $0.destination = { _ in .change(by: { _ in throw Enough() }, to: file) } }
    }
  }
}
