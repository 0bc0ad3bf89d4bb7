extension Challenge {
  /// More words than anybody would ask for in one login.
  private static let mostWords = 100

  /// The words of a parameter that is a list, as `scope` and `acr_values` are: each once and in its order; empty where
  /// there are none.
  func words(_ name: String) -> [String] {
    Challenge.words(of: (self[name] ?? "").split(separator: " ").map(String.init))
  }

  /// The words of a list that can be asked for: those of the characters NQCHAR (RFC 6749, section 3.3).
  static func words(of list: [String]) -> [String] {
    var words: [String] = []
    for word in list where word.isScopeWord && !words.contains(word) {
      words.append(word)
      if words.count == mostWords { break }
    }
    return words
  }
}
