import Testing

@testable import AuthCore

@Suite("StringProtocol+Bytes")
struct StringProtocolBytesTests {
  /// What makes another `Character` of the one before it.
  private static let marks = ["", "\u{301}", "\u{200D}", "\u{FE0F}"]

  @Test("a text begins with, ends with and contains the bytes of another, whatever follows them", arguments: marks)
  func places(mark: String) {
    let text = "a:" + mark + "b"
    #expect(text.starts(withBytes: "a:") && !text.starts(withBytes: "b") && text.starts(withBytes: ""))
    #expect(("x" + text).dropping(prefix: "xa:").map(Array.init(scalars:)) == Array(scalars: mark + "b"))
    #expect(text.dropping(prefix: "b") == nil && text.dropping(suffix: "a") == nil)
    #expect(text.contains(bytes: ":") && text.contains(bytes: ":" + mark) && !text.contains(bytes: "a" + "b"))
    #expect(
      (mark + "b/").ends(withBytes: "/")
        && (mark + "b/").dropping(suffix: "/").map(Array.init(scalars:)) == Array(scalars: mark + "b"))
    #expect(text.replacing(bytes: ":", with: "::").unicodeScalars.elementsEqual(("a::" + mark + "b").unicodeScalars))
    #expect("aXbXXc".replacing(bytes: "X", with: "") == "abc" && "aa".replacing(bytes: "aa", with: "a") == "a")
  }

  @Test("sets of characters split, cut and trim a text", arguments: marks)
  func sets(mark: String) {
    let text = "/" + mark + "b?" + mark + "c"
    #expect(text.split(atAny: "/?").map(Array.init(scalars:)) == [mark + "b", mark + "c"].map(Array.init(scalars:)))
    #expect(text.split(atAny: "/?", maxSplits: 1, omittingEmptySubsequences: false).count == 2)
    #expect(Array(scalars: text.prefix(upToAny: "?#")) == Array(scalars: "/" + mark + "b"))
    #expect(Array(scalars: text.drop(anyOf: "/")) == Array(scalars: mark + "b?" + mark + "c"))
    #expect(text.contains(anyOf: "#?") && !text.contains(anyOf: "#"))
    #expect(text.firstIndex(ofAny: "?").map { Array(scalars: text.suffix(after: $0)) } == Array(scalars: mark + "c"))
    #expect(text.lastIndex(ofAny: "/") == text.startIndex && text.lastIndex(ofAny: "#") == nil)
    #expect(Array(scalars: (" " + mark + "b \n").trimming(anyOf: " \n")) == Array(scalars: mark + "b"))
    #expect("  ".trimming(anyOf: " ").isEmpty && "".trimming(anyOf: " ").isEmpty)
  }

  @Test("texts that are canonically equivalent have other bytes")
  func equality() {
    #expect("\u{212A}" == "K" && !"\u{212A}".isEqual(toBytes: "K") && "K".isEqual(toBytes: "K"))
  }
}

extension [Unicode.Scalar] {
  fileprivate init(scalars text: some StringProtocol) { self = Array(text.unicodeScalars) }
}
