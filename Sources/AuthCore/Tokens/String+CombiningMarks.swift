extension String {
  /// The number of combining marks that may follow each other; Unicode allows 30 in streams (UAX #15, section 13).
  private static let mostMarks = 64

  /// Whether more combining marks follow each other than any text has. Comparing or hashing a string sorts such a run, in
  /// quadratic time.
  var hasEndlessMarks: Bool {
    // The first mark is U+0300. A text needs 64 of them, of two bytes each, for too long a run.
    guard utf8.count > 2 * String.mostMarks, utf8.contains(where: { $0 >= 0xCC }) else { return false }
    var run = 0
    for scalar in unicodeScalars {
      run = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered ? run + 1 : 0
      guard run <= String.mostMarks else { return true }
    }
    return false
  }
}
