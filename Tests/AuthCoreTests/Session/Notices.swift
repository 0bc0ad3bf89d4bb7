import Synchronization

/// Keeps words that it is given, from any task.
final class Notices: Sendable {
  private let words = Mutex<[String]>([])

  var all: [String] { words.withLock { $0 } }
  var count: Int { all.count }

  func add(_ word: String) { words.withLock { $0.append(word) } }
}
