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

  @Test(
    "text that is not JSON is refused",
    arguments: [
      "", " ", "<html></html>", "{", "{'a':1}", "access_token=a", "[1] 2", "[1,]", "{\"a\":1,}", "[1 2]", "{\"a\"}",
      "{\"a\":}", "{1:2}", "{,}", "[,]", "\"x", "01", "1.", ".5", "+1", "-", "1e", "NaN", "nul", "True", "]", "[}",
      "{]",
      "\"\\x\"", "\"\\u12g4\"", "\"\u{1}\"", "\"\n\"", "[1]x", "1//", "\u{FEFF}\u{FEFF}1", "[]\0",
    ])
  func malformed(text: String) {
    #expect(throws: DecodingError.self) { try JSONValue(parsing: Array(text.utf8)) }
  }

  @Test("values are nested 64 deep and no deeper, however that is written", arguments: [("[", "]"), ("{\"a\":", "}")])
  func deep(opening: String, closing: String) throws {
    func nested(_ depth: Int, _ inner: String) -> [UInt8] {
      Array((String(repeating: opening, count: depth) + inner + String(repeating: closing, count: depth)).utf8)
    }
    #expect(try JSONValue(parsing: nested(64, "1")).text() == String(decoding: nested(64, "1"), as: UTF8.self))
    #expect(throws: DecodingError.self) { try JSONValue(parsing: nested(65, "1")) }
    #expect(throws: DecodingError.self) { try JSONValue(parsing: nested(64, "[]")) }
    #expect(throws: DecodingError.self) { try JSONValue(parsing: nested(100_000, "1")) }
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONValue.self, from: Data(nested(66, "1"))) }
  }

  @Test("of members of one name the last counts (RFC 7519, section 4)")
  func duplicates() throws {
    #expect(
      try JSONValue(parsing: Array(#"{"a":1,"b":2,"\u0061":{"c":3}}"#.utf8))
        == .object(["a": .object(["c": .integer(3)]), "b": .integer(2)]))
  }

  @Test("every escape is read (RFC 8259, section 7)")
  func escapes() throws {
    let text = #""\"\\\/\b\f\n\r\t\u00e9\u20AC\ud83d\uDE00\u0000é€😀""#
    #expect(
      try JSONValue(parsing: Array(text.utf8)) == .string("\"\\/\u{8}\u{C}\n\r\té€😀\0é€😀"))
  }

  @Test(
    "half of a surrogate pair is refused (RFC 8259, section 8.2), in names, too",
    arguments: [
      #""\ud800""#, #""\udc00""#, #""\ud83d\u0041""#, #""\ud83dx\ude00""#, #""\ud83d\ud83d""#, #""\ud83d\\ude00""#,
      #"{"\ud800":1}"#, #""\ud83d\"#,
    ])
  func surrogates(text: String) {
    #expect(throws: DecodingError.self) { try JSONValue(parsing: Array(text.utf8)) }
  }

  @Test(
    "bytes that are not UTF-8 are refused (RFC 8259, section 8.1), in names, too",
    arguments: [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]] as [[UInt8]])
  func notUTF8(bytes: [UInt8]) {
    let quoted = Array("\"a".utf8) + bytes + Array("b\"".utf8)
    #expect(throws: DecodingError.self) { try JSONValue(parsing: quoted) }
    #expect(throws: DecodingError.self) { try JSONValue(parsing: Array("{".utf8) + quoted + Array(":1}".utf8)) }
    #expect(throws: DecodingError.self) { try JSONValue(parsing: [0xFF, 0xFE, 0x31, 0x00]) }
  }

  @Test(
    "numbers are as exact as 64 bits allow",
    arguments: [
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)), ("-0", .integer(0)),
      ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("3600.0", .integer(3600)), ("1e3", .integer(1000)),
      ("9007199254740993.00", .integer(9_007_199_254_740_993)), ("-2.50E+0", .number(-2.5)), ("-0.0", .integer(0)),
      ("0.1", .number(0.1)), ("1E19", .number(1e19)), ("1e-400", .integer(0)),
    ] as [(String, JSONValue)])
  func exact(text: String, expected: JSONValue) throws {
    #expect(try JSONValue(parsing: Array(text.utf8)) == expected)
  }

  @Test("a number beyond every Double is refused", arguments: ["1e400", "[-1e400]"])
  func tooLarge(text: String) {
    #expect(throws: DecodingError.self) { try JSONValue(parsing: Array(text.utf8)) }
  }

  @Test("a run of combining marks that it would take quadratic time to compare is refused")
  func marks() throws {
    func text(_ count: Int) -> [UInt8] { Array(("\"e" + String(repeating: "\u{315}", count: count) + "\"").utf8) }
    #expect(try JSONValue(parsing: text(64)).string?.unicodeScalars.count == 65)
    #expect(throws: DecodingError.self) { try JSONValue(parsing: text(65)) }
    let escaped = "{\"e" + String(repeating: "\\u0315", count: 65) + "\":1}"
    #expect(throws: DecodingError.self) { try JSONValue(parsing: Array(escaped.utf8)) }
    // Marks that belong to many letters are a text.
    let word = String(repeating: "e\u{301}", count: 1000)
    #expect(try JSONValue(parsing: Array("\"\(word)\"".utf8)) == .string(word))
  }

  @Test("written JSON is sorted and compact, and cannot control a terminal")
  func written() throws {
    let value = JSONValue.object([
      "b": .array([.number(1), .number(-2.5), .number(1e19), .bool(false)]), "B": .null, "": .object([:]),
      "a\u{1B}": .string("\"\\/\n\u{7}\u{7F}\u{9B}\u{202E}\u{2066}\u{2028}\u{200F}\u{61C}é😀"),
    ])
    let text = #"{"":{},"B":null,"a\u001b":"\"\\/\n\u0007\u007f\u009b\u202e\u2066\u2028\u200f\u061cé😀","#
    #expect(try value.text() == text + #""b":[1,-2.5,1e+19,false]}"#)
    #expect(try JSONValue(parsing: value.text().utf8)["a\u{1B}"] == value["a\u{1B}"])
    #expect(throws: EncodingError.self) { try JSONValue.number(.infinity).text() }
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
