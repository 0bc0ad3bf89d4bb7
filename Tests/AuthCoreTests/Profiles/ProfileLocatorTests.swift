import Testing

@testable import AuthCore

@Suite("ProfileLocator")
struct ProfileLocatorTests {
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
    y = { z = 1 }
    """

  @Test(
    "the place of a key is found, or of what is around it",
    arguments: [
      (["issuer"], 2, 1), (["client_id"], 3, 3), (["text"], 4, 1), (["scope"], 7, 1), (["quoted key"], 10, 1),
      (["endpoints", "token"], 11, 1), (["header"], 12, 1), (["header", "name"], 13, 1), (["header", "prefix"], 12, 1),
      (["parameters", "token"], 14, 1), (["parameters", "token", "x"], 15, 1),
      (["parameters", "refresh", "y", "z"], 17, 1),
    ] as [([String], Int, Int)])
  func place(path: [String], line: Int, column: Int) {
    #expect(ProfileLocator(ProfileLocatorTests.text).place(of: path) == .init(line: line, column: column))
    let windows = ProfileLocatorTests.text.replacing("\n", with: "\r\n")
    #expect(ProfileLocator(windows).place(of: path) == .init(line: line, column: column))
  }

  @Test("a long row of quotation marks takes linear time", .timeLimit(.minutes(10)))
  func quotationMarks() {
    // In quadratic time, 60,000 took four seconds.
    let text = "a = '" + String(repeating: "\"", count: 2_000_000) + "'\nb = 1\n"
    #expect(ProfileLocator(text).place(of: ["a"]) == .init(line: 1, column: 1))
  }

  @Test("a mark that combines with a quotation mark or a dot does not hide it")
  func marks() {
    let text = "a = \"\"\"\u{301}\nb = 1\n\u{301}\"\"\"\n\"\u{301}c\".d = 2\n"
    #expect(ProfileLocator(text).place(of: ["b"]) == nil)
    #expect(ProfileLocator(text).place(of: ["\u{301}c", "d"]) == .init(line: 4, column: 1))
  }

  @Test("an unknown name has no place")
  func nowhere() {
    #expect(ProfileLocator(ProfileLocatorTests.text).place(of: ["nothing"]) == nil)
    #expect(ProfileLocator("").place(of: ["issuer"]) == nil)
  }
}
