import TestSupport
import Testing

@testable import AuthCore

@Suite("FormEncoding")
struct FormEncodingTests {
  /// The example of RFC 6749, appendix B: a space, `%`, `&`, `+`, the pound and the euro sign.
  private static let sample = " %&+£€"

  @Test("text is encoded as in RFC 6749, appendix B")
  func appendixB() {
    #expect(FormEncoding.encode(FormEncodingTests.sample) == "+%25%26%2B%C2%A3%E2%82%AC")
  }

  @Test("percent-encoding leaves the unreserved characters of RFC 3986, section 2.3, and no other")
  func percent() {
    let unreserved = "AZaz09-._~"
    #expect(FormEncoding.percentEncode(unreserved) == unreserved)
    #expect(FormEncoding.percentEncode("* /:=\n") == "%2A%20%2F%3A%3D%0A")
    #expect(FormEncoding.encode("AZaz09-._*~") == "AZaz09-._*%7E")
  }

  @Test("percent-encoding of any bytes, with a plus for a space, as curl's --data-urlencode")
  func plus() {
    #expect(FormEncoding.plusEncode([0, 0xFF, 0x20, 0x2B, 0x7E, 0x2A, 0x41]) == "%00%FF+%2B~%2AA")
  }

  @Test("percent-encodings get small letters, and nothing else does")
  func lowering() {
    #expect(FormEncoding.loweringEscapes("%C3%A4A%3D%zZ%4") == "%c3%a4A%3d%zZ%4")
    #expect(FormEncoding.loweringEscapes("%%C3%") == "%%c3%")
    #expect(FormEncoding.loweringEscapes("") == "")
  }

  @Test("fields keep their order and may repeat")
  func fields() {
    #expect(FormEncoding.encode([("b", "1"), ("a", "x y"), ("b", "")]) == "b=1&a=x+y&b=")
    #expect(FormEncoding.encode([]) == "")
  }

  @Test(
    "a form is parsed, even a malformed one",
    arguments: [
      ("a=1&b=2", ["a:1", "b:2"]), ("a", ["a:"]), ("a=b=c", ["a:b=c"]), ("a=x+y%20z", ["a:x y z"]),
      ("&&a=1&", ["a:1"]), ("a=%", ["a:%"]), ("a=%4", ["a:%4"]), ("a=%zz", ["a:%zz"]), ("a=%+1", ["a:% 1"]),
      ("a=%-1", ["a:%-1"]), ("a=%e2%82%AC", ["a:€"]), ("a=%FF", ["a:\u{FFFD}"]), ("", []),
    ])
  func decoded(text: String, expected: [String]) {
    #expect(FormEncoding.decode(text).map { "\($0.name):\($0.value)" } == expected)
  }

  @Test("an encoded form is decoded to the same")
  func roundTrip() {
    let fields = FormEncoding.decode(FormEncoding.encode([(FormEncodingTests.sample, "a=b&c;d/ä\n")]))
    #expect(fields.map(\.name) == [FormEncodingTests.sample])
    #expect(fields.map(\.value) == ["a=b&c;d/ä\n"])
  }
}
