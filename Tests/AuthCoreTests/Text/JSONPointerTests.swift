import Testing

@testable import AuthCore

@Suite("JSONPointer")
struct JSONPointerTests {
  /// The document of RFC 6901, section 5.
  private func document() throws -> JSONValue {
    try JSONValue(
      parsing: Array(
        #"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"#.utf8))
  }

  @Test(
    "the examples of RFC 6901, section 5",
    arguments: [
      ("/foo", JSONValue.array([.string("bar"), .string("baz")])), ("/foo/0", .string("bar")), ("/", .integer(0)),
      ("/a~1b", .integer(1)), ("/c%d", .integer(2)), ("/e^f", .integer(3)), ("/g|h", .integer(4)),
      ("/i\\j", .integer(5)), ("/k\"l", .integer(6)), ("/ ", .integer(7)), ("/m~0n", .integer(8)),
    ])
  func examples(pointer: String, value: JSONValue) throws {
    #expect(try #require(JSONPointer(pointer)).value(in: document()) == value)
  }

  @Test("the empty pointer names the whole document")
  func whole() throws {
    let document = try document()
    #expect(try #require(JSONPointer("")).value(in: document) == document)
  }

  @Test(
    "a missing member is nil, as are indices that section 4 does not allow",
    arguments: ["/bar", "/foo/2", "/foo/00", "/foo/01", "/foo/-", "/foo/-1", "/foo/+1", "/foo/", "/foo/0/x", "/a/b"])
  func absent(pointer: String) throws {
    #expect(try #require(JSONPointer(pointer)).value(in: document()) == nil)
  }

  @Test("each escape is read once (section 4): ~01 is ~1 and no slash")
  func escapeOrder() throws {
    let document = JSONValue.object(["~1": .integer(1), "/": .integer(2)])
    #expect(try #require(JSONPointer("/~01")).value(in: document) == .integer(1))
    #expect(try #require(JSONPointer("/~1")).value(in: document) == .integer(2))
  }

  @Test("a name may begin with a mark that combines with the slash or the tilde before it")
  func marks() throws {
    let document = JSONValue.object(["a": .object(["\u{301}b/\u{301}c": .integer(1)])])
    #expect(try #require(JSONPointer("/a/\u{301}b~1\u{301}c")).value(in: document) == .integer(1))
    #expect(JSONPointer.escape("\u{301}b/\u{301}c~\u{301}") == "\u{301}b~1\u{301}c~0\u{301}")
    #expect(JSONPointer("/~\u{301}") == nil)
  }

  @Test("a text that is not a pointer (section 3)", arguments: ["foo", "#/foo", "/a~", "/a~2", "/~~0", " /a"])
  func invalid(text: String) {
    #expect(JSONPointer(text) == nil)
  }
}
