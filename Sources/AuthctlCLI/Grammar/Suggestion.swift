/// Finds what somebody meant to type.
enum Suggestion {
  /// The candidate that is nearest to the word, if it is so near that it can be meant: one edit in a word of up to four
  /// characters, two up to eight, three beyond, or the word begun and not ended. Dashes in front don't count.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    let length = word.drop { $0 == "-" }.count
    guard length > 1 else { return nil }
    let allowed = length <= 4 ? 1 : length <= 8 ? 2 : 3
    let near = candidates.map { (name: $0, distance: distance(from: word, to: $0)) }
    if let best = near.min(by: { $0.distance < $1.distance }), best.distance <= allowed { return best.name }
    let begun = candidates.filter { $0.hasPrefix(word) }
    return begun.count == 1 ? begun.first : nil
  }

  /// The number of insertions, deletions, replacements and swaps of neighbours that make one word of the other
  /// (Damerau-Levenshtein distance in its restricted form, which edits no part twice).
  static func distance(from source: String, to target: String) -> Int {
    let source = Array(source)
    let target = Array(target)
    var beforeLast: [Int] = []
    var last = Array(0...target.count)
    for row in source.indices {
      var current = [row + 1]
      for column in target.indices {
        let same = source[row] == target[column]
        var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (same ? 0 : 1))
        if row > 0, column > 0, source[row] == target[column - 1], source[row - 1] == target[column] {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      beforeLast = last
      last = current
    }
    return last[target.count]
  }
}
