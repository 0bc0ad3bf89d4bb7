import Foundation
import Testing

@testable import AuthCore

@Suite("JSONValue")
struct JSONValueTests {
  @Test("every kind of value is parsed and written (RFC 8259, section 3)")
  func kinds() throws {
    let text = #"{"a":[1,-2.5,"x"],"b":true,"i":9007199254740993,"n":null,"o":{}}"#
    let value = try JSONValue(parsing: Array(text.utf8))
    #expect(
      value
        == .object([
          "a": .array([.integer(1), .number(-2.5), .string("x")]), "b": .bool(true),
          "i": .integer(9_007_199_254_740_993), "n": .null, "o": .object([:]),
        ]))
    #expect(try value.text() == text)
  }

  @Test("0 and 1 are numbers, not Booleans")
  func numbers() throws {
    #expect(try JSONValue(parsing: Array("[0,1,true]".utf8)) == .array([.integer(0), .integer(1), .bool(true)]))
  }

  @Test("a byte order mark in front is passed over")
  func mark() throws {
    #expect(try JSONValue(parsing: [0xEF, 0xBB, 0xBF] + Array("{}".utf8)) == .object([:]))
  }

  @Test("what is not JSON is refused", arguments: ["", "<html></html>", "{", "{'a':1}", "access_token=a", "[1] 2"])
  func malformed(text: String) {
    #expect(throws: DecodingError.self) { try JSONValue(parsing: Array(text.utf8)) }
  }

  @Test("a document nested without end is refused, not followed")
  func deep() {
    #expect(throws: DecodingError.self) { try JSONValue(parsing: Array(repeating: UInt8(ascii: "["), count: 100_000)) }
  }

  @Test("a member is had by name; null is as good as absent")
  func member() throws {
    let value = try JSONValue(parsing: Array(#"{"a":"x","n":null}"#.utf8))
    #expect(value["a"] == .string("x"))
    #expect(value["n"] == nil)
    #expect(value["z"] == nil)
    #expect(JSONValue.string("a")["a"] == nil)
  }

  @Test(
    "a number may be a string or have a fraction",
    arguments: [
      (.integer(3600), 3600), (.number(3599.5), 3599.5), (.string("3600"), 3600), (.string("3599.5"), 3599.5),
      (.string("soon"), nil), (.string("inf"), nil), (.string("nan"), nil), (.bool(true), nil), (.null, nil),
    ] as [(JSONValue, Double?)])
  func lenient(value: JSONValue, expected: Double?) {
    #expect(value.lenientNumber == expected)
  }

  @Test("strings are one string or an array of them")
  func strings() {
    #expect(JSONValue.string("a").strings == ["a"])
    #expect(JSONValue.array([.string("a"), .string("b")]).strings == ["a", "b"])
    #expect(JSONValue.array([.string("a"), .integer(1)]).strings == nil)
    #expect(JSONValue.integer(1).strings == nil)
  }
}
