import Testing

@testable import AuthCore

@Suite("TraceText") struct TraceTextTests {
  @Test(
    "a token is its fingerprint at the end of its marks",
    arguments: [
      ("Bearer ‹redacted 5da77486›", ["5da77486"]), ("‹5da77486›", ["5da77486"]),
      ("a=‹opaque, 43 chars, 1b8885b8›&b=‹JWT, 900 chars, c0ffee12›", ["1b8885b8", "c0ffee12"]),
      ("‹‹5da77486›", ["5da77486"]), ("x›‹5da77486›\u{301}", ["5da77486"]), ("", []), ("5da77486", []),
      ("‹redacted›", []), ("‹43 chars›", []), ("‹5DA77486›", []), ("‹5da7748›", []), ("‹x5da77486›", []),
      ("‹5da77486", []), ("‹5da77486 ›", []), ("5da77486›", []),
    ])
  func fingerprints(text: String, found: [String]) {
    #expect(TraceText.fingerprints(in: [text]) == found)
    #expect(TraceText.pieces(of: text).map(\.text).joined() == text)
  }

  @Test("the parts before, between and after tokens")
  func pieces() {
    #expect(
      TraceText.pieces(of: "a ‹5da77486› b ‹c") == [
        .init(text: "a ", fingerprint: nil), .init(text: "‹5da77486›", fingerprint: "5da77486"),
        .init(text: " b ‹c", fingerprint: nil),
      ])
    #expect(TraceText.pieces(of: "‹5da77486›") == [.init(text: "‹5da77486›", fingerprint: "5da77486")])
  }

  @Test("each token once, in the order of the texts")
  func order() {
    #expect(TraceText.fingerprints(in: ["‹00000002›", "‹00000001› ‹00000002›"]) == ["00000002", "00000001"])
  }
}
