import Testing

@testable import AuthCore

@Suite("TextTemplate")
struct TextTemplateTests {
  @Test(
    "values stand in the places of their names, and braces themselves are written twice",
    arguments: [
      ("", ""), ("plain", "plain"), ("{a}", "1"), ("<{a}|{b}>", "<1|2>"), ("{a}{a}", "11"), ("{{a}}", "{a}"),
      ("{{{a}}}", "{1}"), ("{c?}", nil), ("x{c?}y", nil), ("{a?}", "1"),
    ])
  func filled(text: String, filled: String?) throws {
    #expect(try TextTemplate(text).filled(requestValues(["a": "1", "b": "2"])) == filled)
  }

  @Test(
    "a brace that belongs to no placeholder is an error",
    arguments: ["{", "}", "{a", "a}", "{}", "{?}", "{1a}", "{a b}", "{a??}", "{{a}", "{a-ü}", "{\na}"])
  func malformed(text: String) {
    #expect(throws: TextTemplate.Malformed(reason: "has a brace that is not part of a placeholder")) {
      try TextTemplate(text)
    }
  }

  @Test("a value is never looked at for places itself")
  func noSecondExpansion() throws {
    let values = requestValues(["a": "{b}", "b": "{a}{refresh_token}", "refresh_token": "R"])
    #expect(try TextTemplate("{a}{b}").filled(values) == "{b}{a}{refresh_token}")
  }

  @Test("a value that is missing is named, with the option to give it")
  func missing() throws {
    let error = #expect(throws: AuthError.self) { try TextTemplate("{email}").filled(RequestValues()) }
    #expect(
      error
        == .usage(.init("the field email", why: "it is missing", remedy: .giveField(name: "email", isFile: false))))
  }
}
