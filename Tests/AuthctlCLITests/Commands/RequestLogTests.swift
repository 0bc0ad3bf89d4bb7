import AuthCore
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import AuthctlCLI

@Suite("RequestLog") struct RequestLogTests {
  @Test(
    "the clocks are compared by the Date of a response, unless a cache has sent it (RFC 9111, section 5.1)",
    arguments: [
      ("Date: Fri, 02 Jan 2026 05:04:05 GMT\n", LocalClock.off(by: 7200)),
      ("Date: Fri, 02 Jan 2026 03:04:05 GMT\n", .right), ("", nil),
      ("Date: Fri, 02 Jan 2026 01:04:05 GMT\nAge: 7200\n", nil),
    ] as [(String, LocalClock?)])
  func clock(fields: String, clock: LocalClock?) async throws {
    let network = LabNetwork()
    network.add("https://id.example") { _ in "HTTP/1.1 200 OK\n\(fields)Content-Length: 0\n\n" }
    let requests = RequestLog(Context.test(home: URL(filePath: "/nowhere"), console: try FakeConsole()))
    let transport = ObservedTransport(network, requests.observer)
    _ = try await transport.send(Transfer(method: .get, url: try WebURL("https://id.example/keys")))
    #expect(requests.records.map(\.clock) == [clock])
  }
}
