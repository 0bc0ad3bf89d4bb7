import Testing

@testable import AuthctlCLI

@Suite("Suggestion") struct GrammarSuggestionTests {
  @Test(
    "counts insertions, deletions, replacements and swaps",
    arguments: [
      ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "ac", 1),
      ("abc", "acb", 1), ("ab", "ba", 1), ("kitten", "sitting", 3), ("ca", "abc", 3), ("stauts", "status", 1),
    ])
  func distance(source: String, target: String, expected: Int) {
    #expect(Suggestion.distance(from: source, to: target) == expected)
    #expect(Suggestion.distance(from: target, to: source) == expected)
  }

  @Test(
    "suggests only what can be meant",
    arguments: [
      ("tokne", "token"), ("log", nil), ("logi", "login"), ("logo", "logout"), ("x", nil), ("zzzz", nil),
      ("refersh", "refresh"), ("caller", "call"), ("calll", "call"),
    ] as [(String, String?)])
  func nearest(word: String, expected: String?) {
    let names = ["login", "logout", "call", "token", "refresh"]
    #expect(Suggestion.nearest(to: word, among: names) == expected)
  }
}
