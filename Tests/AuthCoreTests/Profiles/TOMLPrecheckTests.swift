import Testing

@testable import AuthCore

@Suite("TOMLPrecheck") struct TOMLPrecheckTests {
  @Test(
    "a table header without a name is an error with its line, not the end of the process",
    arguments: ["[\n", "[[[", "[=", "[#", "[.]", "[\n[a]", "[ ]", "[\u{301}a]", "[\u{E9}]"])
  func header(text: String) throws {
    let name = try #require(ProfileName("work"))
    let error = #expect(throws: AuthError.self) { try Profile(toml: "# x\n" + text, file: "work.toml", name: name) }
    #expect(error?.explanation.why == "work.toml:2: the name of a table is missing after [")
  }

  @Test("a byte order mark hides nothing")
  func mark() throws {
    let name = try #require(ProfileName("work"))
    let error = #expect(throws: AuthError.self) { try Profile(toml: "\u{FEFF}[ ", file: "work.toml", name: name) }
    #expect(error?.explanation.why == "work.toml:1: the name of a table is missing after [")
  }

  @Test(
    "a } where an array's value should be is an error with its line, not the end of the process",
    arguments: [
      "a = [}", "a = [1, }", "a = [ # [\n}", "a = [[{b=[}]]]", "a = {b = [}", #"a = ["\"", }"#, #"a = ['\', }"#,
      #"a = ["", }"#, "a = [\"\"\"\n\"\"\"\"\", }", "a = ['''\n''''', }",
    ])
  func brace(text: String) throws {
    let name = try #require(ProfileName("work"))
    let error = #expect(throws: AuthError.self) { try Profile(toml: text, file: "work.toml", name: name) }
    let line = text.count { $0 == "\n" } + 1
    #expect(error?.explanation.why == "work.toml:\(line): a value is missing before }")
  }

  @Test(
    "braces that are none of that pass",
    arguments: [
      "a = [{}]", "a = [1, {b = 2}]", #"a = "[}""#, "a = '[}' # [}", "a = \"\"\"\n,}\\\"\"\"\"", "a = [{b = []}, {}]",
      "a = ''',}'''''",
    ])
  func braces(text: String) throws {
    #expect(TOMLPrecheck.fault(in: text) == nil)
    let name = try #require(ProfileName("work"))
    let error = #expect(throws: AuthError.self) { try Profile(toml: text, file: "work.toml", name: name) }
    #expect(error?.explanation.why == "work.toml:1:1: unknown key 'a'")
  }

  @Test(
    "a date or a time, at some of which the library ends the process, is an error with its line",
    arguments: [
      "a = 1979-05-27Tbase2:00Z", "a = 1979-05-27", "a = [1979-05-27T07:32:00Z]", "a = [1, 07:32:00]",
      "a = 1979-05-27 x",
      "a = 1979-05-27Tbase2:00; = 1",
      "b = {a = 1979-05-27T, c = 1}", "a = [1[1979-05-27", "a = [1[2[3:4", "a = [1x[2, 3:4",
    ])
  func date(text: String) throws {
    let name = try #require(ProfileName("work"))
    let error = #expect(throws: AuthError.self) { try Profile(toml: "# x\n" + text, file: "work.toml", name: name) }
    #expect(error?.explanation.why == "work.toml:2: there is a date or a time, which a profile does not have")
  }

  @Test(
    "numbers, and names and texts that look like a date, pass",
    arguments: [
      "a = -1", "a = 1e-5", "a = 1.5E-3", "a = \"1979-05-27T07:32:00Z\"", "2-fa = 1", "a = {b = 1, 2-fa = 3}",
      "[x1-y]", "# 1979-05-27", "a = '07:32'", "a = [\n  -1, +2\n]",
    ])
  func numbers(text: String) {
    #expect(TOMLPrecheck.fault(in: text) == nil)
  }

  @Test("a run of combining marks that it would take quadratic time to compare is an error with its line")
  func marks() {
    let fault = TOMLPrecheck.fault(in: "a = 1\n\"e" + String(repeating: "\u{315}", count: 65) + "\" = 1")
    #expect(fault?.line == 2)
    #expect(TOMLPrecheck.fault(in: "a = '" + String(repeating: "e\u{301}", count: 1000) + "'") == nil)
  }

  @Test("a name of thousands of parts is an error, not the end of the stack")
  func parts() throws {
    let name = try #require(ProfileName("work"))
    let text = String(repeating: "a.", count: 20_000) + "b = 1"
    let error = #expect(throws: AuthError.self) { try Profile(toml: text, file: "work.toml", name: name) }
    #expect(error?.explanation.why == "work.toml:1: a name has more than 64 parts")
  }

  @Test(
    "headers and names that are none of that pass",
    arguments: ["[a]", "[ a ]", "[\"a b\"]", "[[a]]", "a.b.c = 1", "x = [\n  \"https://a.b.c\"\n]"])
  func passing(text: String) {
    #expect(TOMLPrecheck.fault(in: text) == nil)
  }

  @Test(
    "an error of the TOML library is reported in words of ours, with its line",
    arguments: [
      ("issuer = https://id", "not a value: a string needs quotes, and only numbers, true and false need none"),
      ("flow = browser", "not a value: a string needs quotes, and only numbers, true and false need none"),
      ("dpop = True", "not a value: a string needs quotes, and only numbers, true and false need none"),
      ("port = 08", "not a value: a string needs quotes, and only numbers, true and false need none"),
      ("a = \"x", "the closing quote of a string is missing"), ("a = 'x", "the closing quote of a string is missing"),
      ("a = \"x\nb = 1", "the closing quote of a string is missing"),
      (#"a = "\d""#, #"unknown escape in a string: a backslash is \\, or use single quotes"#),
      ("a = [1", "a comma, or the closing ] of the array, is missing"),
      ("a = [1 2]", "a comma, or the closing ] of the array, is missing"),
      ("a = {b = 1", "a comma, or the closing } of the table, is missing"),
      ("a", "the = or the value of a key is missing, or something follows it"),
      ("a b = 1", "the = after a key is missing"),
      ("a =", "the = or the value of a key is missing, or something follows it"),
      ("a = 1 2", "the = or the value of a key is missing, or something follows it"),
      ("[a", "not a table: its header is [NAME] on a line of its own"),
      ("[a] b = 1", "not a table: its header is [NAME] on a line of its own"),
      ("= 1", "not a key: a line is KEY = VALUE, [TABLE] or a # comment"),
      ("a = 1\na = 2", "this key or table is already there"), ("[a]\n[a]", "this key or table is already there"),
      ("a = 1\n[a]", "this key or table is already there"),
    ])
  func mistakes(text: String, why: String) throws {
    let name = try #require(ProfileName("work"))
    let error = #expect(throws: AuthError.self) { try Profile(toml: text, file: "work.toml", name: name) }
    let words = try #require(error?.explanation.why)
    #expect(words.hasPrefix("work.toml:") && words.hasSuffix(": " + why), "\(words)")
  }
}
