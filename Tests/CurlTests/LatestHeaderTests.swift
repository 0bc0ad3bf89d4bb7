import HTTPTypes
import Testing

@testable import AuthCurl

@Suite struct LatestHeaderTests {
  @Test("the fields of each header are its own, whatever it has in common with the one before")
  func fields() {
    let latest = LatestHeader()
    for lines in [
      ["A: 1", "B: 2"], ["A: 1", "B: 2"], ["A: 1", "B: 3"], ["B: 3"], ["A: 1", "bad line", "B: 3"],
      ["bad line", "A: 1", "B: 3", "C: 4"], [],
    ] {
      let header = Array((["HTTP/1.1 200 OK"] + lines + ["", ""]).joined(separator: "\r\n").utf8)
      let fields = latest.fields(of: header).map { "\($0.name.rawName): \($0.value)" }
      #expect(fields == lines.filter { $0 != "bad line" })
    }
  }
}
