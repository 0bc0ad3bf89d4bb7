import AuthCore

/// Finds the word that the user probably meant.
enum Suggestion {
  /// Returns the candidate nearest to the word; nil if none is close enough. Leading dashes do not count.
  ///
  /// Close enough means one edit in a word of up to four characters, two up to eight, three beyond, or an incomplete
  /// word.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    let length = word.drop { $0 == "-" }.count
    guard length > 1 else { return nil }
    let allowed = length <= 4 ? 1 : length <= 8 ? 2 : 3
    let near = candidates.map { (name: $0, distance: distance(from: word, to: $0)) }
    if let best = near.min(by: { $0.distance < $1.distance }), best.distance <= allowed { return best.name }
    let begun = candidates.filter { $0.hasPrefix(word) }
    return begun.count == 1 ? begun.first : nil
  }

  /// Returns the distance between two words, in edits.
  static func distance(from source: String, to target: String) -> Int {
    NearestName.distance(Array(source), Array(target))
  }
}
