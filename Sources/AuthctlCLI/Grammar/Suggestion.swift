import AuthCore

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

  /// How far two words are from each other, in edits.
  static func distance(from source: String, to target: String) -> Int {
    NearestName.distance(Array(source), Array(target))
  }
}
