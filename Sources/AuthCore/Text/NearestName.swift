/// Finds the known name that the user most likely meant.
package enum NearestName {
  /// Returns the known name nearest to the typed one; nil if none is near enough. At most a third of its letters may
  /// differ, and at most three.
  package static func of(_ typed: String, among known: some Sequence<String>) -> String? {
    known
      .map { (name: $0, distance: distance(Array(typed.lowercased().utf8), Array($0.lowercased().utf8))) }
      .filter { $0.distance <= max(1, min(3, $0.name.utf8.count / 3)) }
      .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?
      .name
  }

  /// Returns the beginning of a hint, `did you mean 'NAME'? `; empty if no known name is near enough.
  package static func hint(for typed: String, among known: some Sequence<String>) -> String {
    of(typed, among: known).map { "did you mean '\($0)'? " } ?? ""
  }

  /// Returns the number of insertions, deletions, replacements and swaps of neighbours that turn one name into the
  /// other (restricted Damerau-Levenshtein distance, which edits no part twice).
  package static func distance<Element: Equatable>(_ one: [Element], _ other: [Element]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    for row in one.indices {
      var current = [row + 1]
      for column in other.indices {
        let replaced = last[column] + (one[row] == other[column] ? 0 : 1)
        var best = min(replaced, last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
          best = min(best, beforeLast[column - 1] + 1)
        }
        current.append(best)
      }
      beforeLast = last
      last = current
    }
    return last[other.count]
  }

  /// Returns a hint for an unknown name: the nearest known name, if one is near enough, then all known names.
  ///
  /// - Parameter title: the words before the list: `known`.
  package static func hint(for typed: String, among known: [String], title: String) -> String {
    hint(for: typed, among: known) + "\(title): " + known.joined(separator: ", ")
  }
}
