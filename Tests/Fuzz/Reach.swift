import Glibc

/// How many inputs come to what their target is for, and are not refused at the first look.
enum Reach {
  nonisolated(unsafe) private static var counts = (all: 0, reached: 0)

  /// Counts an input. At the end of the process the share is printed, for fuzz.sh: `reach: 97`.
  static func count(_ isReached: Bool) {
    if unsafe counts.all == 0 { atexit { Reach.printShare() } }
    unsafe counts.all += 1
    if isReached { unsafe counts.reached += 1 }
  }

  private static func printShare() { unsafe print("reach: \(counts.reached * 100 / counts.all)") }
}
