import Testing

@testable import AuthCore

@Suite("TOMLDocument")
struct TOMLDocumentTests {
  @Test(
    "each kind of value is read",
    arguments: [
      (#""a\b\t\n\f\r\"\\\u00e9\U0001F600""#, #""a\b\t\n\f\r\"\\é😀""#), (#"'a\b"'"#, #""a\\b\"""#), ("\"\"", "\"\""),
      ("''", "\"\""), ("\"\"\"\"\"\"", "\"\""), ("''''''", "\"\""), ("\"\"\"\na\r\nb\"\"\"", #""a\nb""#),
      ("\"\"\"a \\\n  \r\n\t b\"\"\"", "\"a b\""), ("\"\"\"a\\  \n\"\"\"", "\"a\""),
      ("\"\"\"\"a\"\" b\"\"\"\"\"", #""\"a\"\" b\"\"""#), ("'''\n'a''\\\n'''''", #""'a''\\\n''""#),
      ("'\u{80}\u{301}'", "\"\u{80}\u{301}\""), ("0", "0"), ("-0", "0"), ("+99", "99"), ("1_000", "1000"),
      ("0xDEAD_beef", "3735928559"), ("0o755", "493"), ("0b1101", "13"), ("0xe_1", "225"),
      ("9223372036854775807", "9223372036854775807"), ("-9223372036854775808", "-9223372036854775808"),
      ("0x7fffffffffffffff", "9223372036854775807"), ("true", "true"), ("false", "false"), ("[]", "[]"),
      ("[1, 'a', [true]]", #"[1,"a",[true]]"#), ("[ # ]\n 1 ,\r\n\n 2, # b\n ]", "[1,2]"), ("{}", "{}"), ("{ }", "{}"),
      ("{ a = 1, b.c = 2, b.d = [\n3] }", #"{"a":1,"b":{"c":2,"d":[3]}}"#), ("[{a = 1}, {}]", #"[{"a":1},{}]"#),
    ])
  func value(written: String, json: String) throws {
    let value = try JSONValue(parsing: json.utf8)
    #expect(try TOMLDocument("v = \(written) # comment").members == ["v": value])
    #expect(try TOMLDocument("v=[\(written)]\r\n").members == ["v": .array([value])])
  }

  @Test(
    "a number with a fraction or an exponent is read",
    arguments: [
      ("1.0", 1), ("-0.01", -0.01), ("5e+22", 5e22), ("1e06", 1e6), ("6.626_1e-34", 6.6261e-34), ("1E1_0", 1e10),
      ("1e400", .infinity), ("inf", .infinity), ("+inf", .infinity), ("-inf", -.infinity),
    ] as [(String, Double)])
  func number(written: String, number: Double) throws {
    #expect(try TOMLDocument("v = \(written)").members == ["v": .number(number)])
  }

  @Test("not a number is read", arguments: ["nan", "+nan", "-nan"])
  func notANumber(written: String) throws {
    let value = try #require(try TOMLDocument("v = \(written)").members["v"])
    #expect(["number(nan)", "number(-nan)"].contains("\(value)"))
  }

  @Test(
    "a date or a time is null",
    arguments: [
      "1979-05-27", "07:32:00", "07:32:00.999", "1979-05-27T07:32:00Z", "1979-05-27t00:32:00.9-07:00",
      "1979-05-27 07:32:00", "1979-05-27 07:32:00z", "1979-05-27T07:32:00+23:59", "2000-02-29", "2024-12-31",
    ])
  func moment(written: String) throws {
    #expect(try TOMLDocument("v = \(written)").members == ["v": .null])
    #expect(try TOMLDocument("v = [\(written) , \(written)]").members == ["v": .array([.null, .null])])
  }

  @Test(
    "what is not a value is an error where it begins",
    arguments: [
      "https://id", "browser", "True", "é", "08", "-01", "1__0", "_1", "1_", "0x", "0x_1", "0o8", "0b2", "+0x1", "0X1",
      "0x+1", "1.", ".5", "1.e5", "1._5", "1e_5", "1_e5", "1e", "1.5e5.0", "Inf", "+-1", "1900-02-29", "1979-13-01",
      "1979-00-01", "1979-01-32", "1979-01-00", "1979-5-27", "24:00:00", "07:60:00", "07:32:60", "07:32", "07:32:00.",
      "07:32:00Z", "1979-05-27Z", "1979-05-27T", "1979-05-27T07:32", "1979-05-27 7", "1979-05-27T07:32:00+24:00",
      "1979-05-27T07:32:00+0700", "1979-05-27T07:32:00ZZ", "1979-05-27Tbase2:00Z", "=", "\u{1}", "1ê",
    ])
  func noValue(written: String) {
    let why = "not a value: a string needs quotes, and only numbers, true and false need none"
    // After a word that ends in a letter beyond ASCII, that letter is left.
    let other = written == "1ê" ? "only a # comment can follow a value on its line" : why
    let fault = #expect(throws: TOMLDocument.Fault.self) { try TOMLDocument("a = 1\nb = \(written)") }
    #expect(fault == .init(place: .init(line: 2, column: written == "1ê" ? 6 : 5), why: other))
  }

  @Test(
    "an error is reported with its place",
    arguments: [
      ("a = 9223372036854775808", 1, 5, "a number does not fit in 64 bits"),
      ("a = -9223372036854775809", 1, 5, "a number does not fit in 64 bits"),
      ("a = 0x8000000000000000", 1, 5, "a number does not fit in 64 bits"),
      ("a = \"x", 1, 5, "the closing quote of a string is missing"),
      ("a = 'x", 1, 5, "the closing quote of a string is missing"),
      ("a = \"x\nb = 1", 1, 5, "the closing quote of a string is missing"),
      ("a = '''x\n'\n''", 1, 5, "the closing quote of a string is missing"),
      ("a = '''x\n", 1, 5, "the closing quote of a string is missing"),
      ("\"\"\"a\"\"\" = 1", 1, 3, "the = after a key is missing"),
      (#"a = "é\d""#, 1, 7, #"unknown escape in a string: a backslash is \\, or use single quotes"#),
      (#"a = "\u00e""#, 1, 6, #"unknown escape in a string: a backslash is \\, or use single quotes"#),
      (#"a = "\ud800""#, 1, 6, #"unknown escape in a string: a backslash is \\, or use single quotes"#),
      (#"a = "\U00110000""#, 1, 6, #"unknown escape in a string: a backslash is \\, or use single quotes"#),
      (#"a = "\u+123""#, 1, 6, #"unknown escape in a string: a backslash is \\, or use single quotes"#),
      ("a = \"\\\n\"", 1, 6, #"unknown escape in a string: a backslash is \\, or use single quotes"#),
      ("a = \"\"\"\n \\ x\"\"\"", 2, 2, #"unknown escape in a string: a backslash is \\, or use single quotes"#),
      ("a = 'é\u{7F}'", 1, 7, "a string contains a control character"),
      ("a = '\r'", 1, 6, "a string contains a control character"),
      ("a = '''\n\r'''", 2, 1, "a string contains a control character"),
      ("a = '\0'", 1, 6, "a string contains a control character"),
      ("# a\0", 1, 4, "a comment contains a control character"),
      ("# a\r", 1, 4, "a comment contains a control character"),
      ("a = [1", 1, 7, "a comma, or the closing ] of the array, is missing"),
      ("a = [1,\n", 2, 1, "a comma, or the closing ] of the array, is missing"),
      ("a = [1 2]", 1, 8, "a comma, or the closing ] of the array, is missing"),
      ("a = [,]", 1, 6, "a value is missing"), ("a = [1,,]", 1, 8, "a value is missing"),
      ("a = [}", 1, 6, "a value is missing"), ("a =", 1, 4, "a value is missing"),
      ("a = # x", 1, 5, "a value is missing"),
      ("a = \r\n", 1, 5, "a value is missing"), ("a = {b = }", 1, 10, "a value is missing"),
      ("a = {b = 1", 1, 11, "a comma, or the closing } of the table, is missing"),
      ("a = {b = 1 c = 2}", 1, 12, "a comma, or the closing } of the table, is missing"),
      ("a = {b = 1\n}", 1, 11, "a comma, or the closing } of the table, is missing"),
      ("a = {b = 1,}", 1, 12, "not a key: a table in braces is { KEY = VALUE, KEY = VALUE } on one line"),
      ("a = {\nb = 1}", 1, 6, "not a key: a table in braces is { KEY = VALUE, KEY = VALUE } on one line"),
      ("a", 1, 2, "the = after a key is missing"), ("a b = 1", 1, 3, "the = after a key is missing"),
      ("é = 1", 1, 1, "not a key: a line is KEY = VALUE, [TABLE] or a # comment"),
      ("a = 1\n= 1", 2, 1, "not a key: a line is KEY = VALUE, [TABLE] or a # comment"),
      ("a. = 1", 1, 4, "not a key: a line is KEY = VALUE, [TABLE] or a # comment"),
      ("[a.]", 1, 4, "not a key: a line is KEY = VALUE, [TABLE] or a # comment"),
      ("a = 1 2", 1, 7, "only a # comment can follow a value on its line"),
      ("a = '' b = 1", 1, 8, "only a # comment can follow a value on its line"),
      ("a = 1\rb = 1", 1, 6, "only a # comment can follow a value on its line"),
      ("[]", 1, 2, "the name of a table is missing after ["),
      ("x=1\n [ ", 2, 4, "the name of a table is missing after ["),
      ("[ [a]]", 1, 3, "the name of a table is missing after ["),
      ("[\u{301}a]", 1, 2, "the name of a table is missing after ["),
      ("[a", 1, 3, "not a table: its header is [NAME] on a line of its own"),
      ("[a b]", 1, 4, "not a table: its header is [NAME] on a line of its own"),
      ("[[a] ]", 1, 5, "not a table: its header is [NAME] on a line of its own"),
      ("[a] b = 1", 1, 5, "not a table: its header is [NAME] on a line of its own"),
    ])
  func fault(text: String, line: Int, column: Int, why: String) {
    let fault = #expect(throws: TOMLDocument.Fault.self) { try TOMLDocument(text) }
    #expect(fault == .init(place: .init(line: line, column: column), why: why))
  }

  @Test(
    "keys and tables that go together are read",
    arguments: [
      ("\"a b\".'c'. d = 1", #"{"a b":{"c":{"d":1}}}"#), ("1.2 = 3\n-_ = 4", #"{"1":{"2":3},"-_":4}"#),
      ("a.b = 1\nc = 2\na.d = 3", #"{"a":{"b":1,"d":3},"c":2}"#), ("\"\" = 1", #"{"":1}"#),
      ("[a.b]\nx = 1\n[a]\ny = 2", #"{"a":{"b":{"x":1},"y":2}}"#), ("[ a . 'b' ]", #"{"a":{"b":{}}}"#),
      ("[a]\nb.c = 1\n[a.b.d]\nx = 2", #"{"a":{"b":{"c":1,"d":{"x":2}}}}"#),
      ("[a.b.c]\n[a]\nb.x = 1", #"{"a":{"b":{"c":{},"x":1}}}"#), ("[[a.b]]\n[a]\nc = 1", #"{"a":{"b":[{}],"c":1}}"#),
      ("[[a]]\nx = 1\n[[a]]\n[a.b]\ny = 2\n[[a.c]]\n", #"{"a":[{"x":1},{"b":{"y":2},"c":[{}]}]}"#),
    ])
  func tables(text: String, json: String) throws {
    #expect(try JSONValue.object(TOMLDocument(text).members) == JSONValue(parsing: json.utf8))
  }

  @Test(
    "a key or table that is already there is an error with its line",
    arguments: [
      ("a = 1\na = 2", 2, 1, "'a' is already there, on line 1"),
      ("a = 1\n'a' = 2", 2, 1, "'a' is already there, on line 1"),
      ("[a]\nx = 1\n[a]", 3, 1, "'a' is already there, on line 1"),
      ("a = 1\n [a]", 2, 2, "'a' is already there, on line 1"),
      ("[a]\nb = 1\n[a.b]", 3, 1, "'a.b' is already there, on line 2"),
      ("a = 1\na.b = 2", 2, 1, "'a' is already there, on line 1"),
      ("a.b = 1\na = 2", 2, 1, "'a' is already there, on line 1"),
      ("a = []\n[[a]]", 2, 1, "'a' is already there, on line 1"),
      ("a = {}\n[a]", 2, 1, "'a' is already there, on line 1"),
      ("a = {}\n[a.b]", 2, 1, "'a' is already there, on line 1"),
      ("a = {b = 1}\na.c = 2", 2, 1, "'a' is already there, on line 1"),
      ("a = [{}]\n[a.b]", 2, 1, "'a' is already there, on line 1"),
      ("a = [{}]\n[[a.b]]", 2, 1, "'a' is already there, on line 1"),
      ("[[a]]\n[a]", 2, 1, "'a' is already there, on line 1"), ("[a]\n[[a]]", 2, 1, "'a' is already there, on line 1"),
      ("[a.b]\n[[a]]", 2, 1, "'a' is already there, on line 1"),
      ("a.b = 1\n[a]", 2, 1, "'a' is already there, on line 1"),
      ("[a]\nb.c = 1\n[a.b]", 3, 1, "'a.b' is already there, on line 2"),
      ("[a.b]\n[a]\nb.c = 1", 3, 1, "'a.b' is already there, on line 1"),
      ("[a.b.c]\n[a]\nb.x = 1\n[a.b]", 4, 1, "'a.b' is already there, on line 1"),
      ("[[a.b]]\n[a]\nb.c = 1", 3, 1, "'a.b' is already there, on line 1"),
      ("[[a]]\nx = 1\n[[a]]\nx = 1\nx = 2", 5, 1, "'a.x' is already there, on line 4"),
      ("a = {b = 1, b = 2}", 1, 13, "'a.b' is already there, on line 1"),
      ("a = {b = {}, b.c = 2}", 1, 14, "'a.b' is already there, on line 1"),
      ("'e\u{301}' = 1\n\"é\" = 2", 2, 1, "'é' is already there, on line 1"),
      ("\"\\u001b\" = 1\n\"\\u001b\" = 1", 2, 1, "'\\u{1b}' is already there, on line 1"),
    ])
  func twice(text: String, line: Int, column: Int, why: String) {
    let fault = #expect(throws: TOMLDocument.Fault.self) { try TOMLDocument(text) }
    #expect(fault == .init(place: .init(line: line, column: column), why: why))
  }

  @Test("a text without values is a document", arguments: ["", "\n", "\r\n", "# é", "\u{FEFF}", " \t# x\n\n"])
  func empty(text: String) throws {
    #expect(try TOMLDocument(text).members == [:])
  }
}
