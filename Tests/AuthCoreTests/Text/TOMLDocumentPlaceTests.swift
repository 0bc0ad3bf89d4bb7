import Testing

@testable import AuthCore

@Suite("TOMLDocument, places and limits")
struct TOMLDocumentPlaceTests {
  private static let text = """
    # issuer = "in a comment"
    issuer = "a"
      client_id="b"
    text = \"\"\"
    scope = "inside a string"
    \"\"\"
    scope = [
      "x",
    ]
    "quoted key" = 1
    endpoints.token = "t"
    [header]
    name = "n" # [on]
    [ parameters . "token" ]
    x = 1
    [parameters.refresh]
    é = { z = "é😀", y = [
      { x = 1 } ] }
    """

  @Test(
    "the place of a key is found, or of what is around it",
    arguments: [
      (["issuer"], 2, 1), (["client_id"], 3, 3), (["text"], 4, 1), (["scope"], 7, 1), (["quoted key"], 10, 1),
      (["endpoints", "token"], 11, 1), (["header"], 12, 1), (["header", "name"], 13, 1), (["header", "prefix"], 12, 1),
      (["parameters", "token"], 14, 1), (["parameters", "token", "x"], 15, 1),
    ] as [([String], Int, Int)])
  func place(path: [String], line: Int, column: Int) throws {
    for text in [Self.text, "\u{FEFF}" + Self.text, Self.text.replacing("\n", with: "\r\n")] {
      let document = try TOMLDocument(text.replacing("é =", with: "'é' ="))
      #expect(document.place(of: path) == .init(line: line, column: column))
    }
  }

  @Test("a column is counted in code points, in an inline table, too")
  func columns() throws {
    let document = try TOMLDocument(Self.text.replacing("é =", with: "'é' ="))
    let table = ["parameters", "refresh", "é"]
    #expect(document.place(of: table + ["z"]) == .init(line: 17, column: 9))
    #expect(document.place(of: table + ["y"]) == .init(line: 17, column: 19))
    #expect(document.place(of: table + ["y", "x"]) == .init(line: 18, column: 5))
    #expect(document.place(of: table + ["q"]) == .init(line: 17, column: 1))
  }

  @Test("an unknown name has no place")
  func nowhere() throws {
    #expect(try TOMLDocument("a = 1").place(of: ["nothing"]) == nil)
    #expect(try TOMLDocument("").place(of: ["issuer"]) == nil)
  }

  @Test(
    "the names in a table are in the order of the text, each once",
    arguments: [
      "[t.u]\nc = 1\na.x = 2\nb = 3\na.y = 4", "[t]\nu = { c = '}', a = { x = 2, y = [{ q = 1 }] }, b = 3 }",
      "t.u.c = 1\n[t.u.a]\n[t.u.b]", "[t.u.c]\n[t.u.a]\nb = 1\n[t.u.b]\n[t.u]",
    ])
  func names(text: String) throws {
    #expect(try TOMLDocument(text).names(in: ["t", "u"]) == ["c", "a", "b"])
  }

  @Test("what is nested too deep is an error, not the end of the stack")
  func depth() throws {
    func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
    _ = try TOMLDocument("a = " + repeated("[", 64) + repeated("]", 64))
    _ = try TOMLDocument("a = " + repeated("{a=", 63) + "1" + repeated("}", 63))
    _ = try TOMLDocument(repeated("a.", 63) + "a = 1")
    for text in [
      "a = " + repeated("[", 65), "a = " + repeated("[", 60_000), "a = " + repeated("{a=", 64),
      "a = " + repeated("{a=", 20_000),
      "a = " + repeated("[{a=", 15_000), "[" + repeated("a.", 63) + "a]\nb = 1",
    ] {
      let fault = #expect(throws: TOMLDocument.Fault.self) { try TOMLDocument(text) }
      #expect(fault?.why == "a value is nested more than 64 deep")
    }
    for text in [repeated("a.", 20_000) + "b = 1", "[" + repeated("a.", 64) + "a]"] {
      let fault = #expect(throws: TOMLDocument.Fault.self) { try TOMLDocument(text) }
      #expect(fault?.why == "a name has more than 64 parts")
    }
  }

  @Test("a text that is too large is an error")
  func size() throws {
    let text = "a = 1\n#" + String(repeating: "x", count: (64 << 10) - 7)
    _ = try TOMLDocument(text)
    let fault = #expect(throws: TOMLDocument.Fault.self) { try TOMLDocument(text + "x") }
    #expect(fault == .init(place: .init(line: 1, column: 1), why: "the file is larger than 64 KiB"))
  }

  @Test("a run of combining marks that it would take quadratic time to compare is an error with its place")
  func marks() throws {
    let run = "e" + String(repeating: "\u{315}", count: 65)
    for (text, column) in [("'\(run)' = 1", 1), ("a.'\(run)' = 1", 3), ("a = \"\(run)\"", 5)] {
      let fault = #expect(throws: TOMLDocument.Fault.self) { try TOMLDocument("b = 1\n" + text) }
      #expect(
        fault == .init(place: .init(line: 2, column: column), why: "a text has too many combining marks in a row"))
    }
    _ = try TOMLDocument("a = '" + String(repeating: "e\u{301}", count: 1000) + "'")
  }

  @Test("a mark that combines with a quotation mark, a dot or a bracket hides none of them")
  func combining() throws {
    let document = try TOMLDocument("a = \"\"\"\u{301}\nb = 1\n\u{301}\"\"\"\n\"\u{301}c\".\"\u{301}d\" = '\u{301}'\n")
    let inner = JSONValue.object(["\u{301}d": .string("\u{301}")])
    #expect(document.members == ["a": .string("\u{301}\nb = 1\n\u{301}"), "\u{301}c": inner])
    #expect(document.place(of: ["\u{301}c", "\u{301}d"]) == .init(line: 4, column: 1))
  }
}
