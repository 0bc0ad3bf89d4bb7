import AuthCore
import HTTPTypes
import Testing

@testable import AuthctlCLI

@Suite("WriteOutValues") struct WriteOutValuesTests {
  /// A call that was refused, then redirected, then successful.
  func facts(status: AuthctlCLI.ExitStatus = .ok) throws -> WriteOutValues {
    let record = TransferLog()
    for (place, code) in [("a", 401), ("a", 302), ("b", 200)] {
      var report = TransferReport(of: Transfer(method: .get, url: try WebURL("http://h/\(place)")))
      report.response = TransferResponse(
        status: code, fields: [.contentType: "text/\(code)", .location: "/b"],
        rawHeader: Array("HTTP/1.1 \(code) x\r\nContent-Type: text/\(code)\r\nLocation: /b\r\n\r\n".utf8))
      report.sizes.received = Int64(code)
      report.sizes.sent = Int64(code)
      report.sizes.responseHeader = 10
      report.sizes.request = 5
      report.newConnections = code == 200 ? 0 : 1
      report.times.connect = .milliseconds(10)
      report.times.startTransfer = .milliseconds(20)
      report.times.total = .seconds(9)
      record.add(report)
    }
    return WriteOutValues(
      url: try WebURL("http://h/a"), number: 3, file: "f", status: status, message: status == .ok ? nil : "it failed",
      record: record)
  }

  @Test(
    "the last of several transfers is reported, and sums are added up",
    arguments: [
      (.httpCode, "200"), (.responseCode, "200"), (.contentType, "text/200"), (.effectiveURL, "http://h/b"),
      (.url, "http://h/a"), (.urlNumber, "3"), (.effectiveFileName, "f"), (.redirectCount, "1"), (.connectCount, "2"),
      (.downloadSize, "200"), (.uploadSize, "200"), (.headerSize, "30"), (.requestSize, "15"), (.headerCount, "2"),
      (.connectTime, "0.030000"), (.startTransferTime, "0.060000"), (.exitCode, "0"), (.errorMessage, ""),
      (.method, "GET"), (.redirectURL, ""), (.scheme, ""), (.httpVersion, "0"), (.httpConnect, "000"),
    ] as [(WriteOutVariable, String)])
  func values(variable: WriteOutVariable, text: String) throws {
    #expect(try facts().value(variable).plain == text)
  }

  @Test("the time of the whole is that of the clock, and of what came before the last transfer a part of it")
  func times() throws {
    let facts = try facts()
    guard case .time(let total) = facts.value(.totalTime), case .time(let before) = facts.value(.redirectTime) else {
      Issue.record("no times")
      return
    }
    #expect(total < .seconds(9) && before <= total && before > .zero)
  }

  @Test("a single transfer is reported as measured, and a redirect that was not followed by its target")
  func single() throws {
    let record = TransferLog()
    var report = TransferReport(of: Transfer(method: .post, url: try WebURL("http://h/x/y")))
    report.times.total = .seconds(2)
    report.sizes.received = 10
    report.response = TransferResponse(status: 307, fields: [.location: "../z?q"])
    record.add(report)
    let facts = WriteOutValues(
      url: report.url, number: 0, file: nil, status: .http, message: "why", record: record)
    #expect(facts.value(.totalTime) == .time(.seconds(2)))
    #expect(facts.value(.redirectTime) == .time(.zero))
    #expect(facts.value(.downloadSpeed) == .number(5))
    #expect(facts.value(.redirectURL) == .text("http://h/z?q"))
    #expect(facts.value(.redirectCount) == .number(0))
    #expect(facts.value(.effectiveFileName) == .text(nil))
    #expect(facts.value(.exitCode) == .number(22))
    #expect(facts.value(.errorMessage) == .text("why"))
  }

  @Test("a transfer that was not sent has zeros")
  func nothing() throws {
    let facts = WriteOutValues(
      url: try WebURL("http://h/"), number: 0, file: nil, status: .loginRequired, message: "no", record: TransferLog())
    #expect(facts.value(.httpCode).plain == "000")
    #expect(facts.value(.totalTime).plain == "0.000000")
    #expect(facts.value(.downloadSpeed) == .number(0))
    #expect(facts.value(.exitCode) == .number(3))
  }
}
