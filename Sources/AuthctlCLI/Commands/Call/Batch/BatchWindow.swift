/// Which lines of a batch are under way, which answers wait for those before them, and whether another may begin.
struct BatchWindow {
  /// How many answers may be waiting, as a multiple of those under way, before nothing more is begun.
  static let ahead = 16
  /// How many bytes of responses may be waiting before nothing more is begun.
  static let heldLimit = 64 << 20

  private let parallel: Int
  private let isOrdered: Bool
  private let heldLimit: Int
  private var begun = 0
  private var ended = 0
  private var written = 0
  private var due = 0
  private var held: [Int: [UInt8]] = [:]
  private var heldBytes = 0

  /// - Parameters:
  ///   - parallel: how many lines are under way at the same time.
  ///   - isOrdered: whether answers are due in the order of the lines; else as they come.
  init(parallel: Int, isOrdered: Bool, heldLimit: Int = BatchWindow.heldLimit) {
    self.parallel = parallel
    self.isOrdered = isOrdered
    self.heldLimit = heldLimit
  }

  /// Whether another line may begin.
  var hasRoom: Bool {
    begun - ended < parallel && begun - written < parallel * BatchWindow.ahead && heldBytes < heldLimit
  }

  /// Whether every response has been written.
  var isEmpty: Bool { written == begun }

  /// Begins a line; its place.
  mutating func begin() -> Int {
    defer { begun += 1 }
    return begun
  }

  /// Takes the response to the line at a place; it may be empty.
  mutating func end(_ place: Int, _ response: [UInt8]) {
    held[isOrdered ? place : ended] = response
    heldBytes += response.count
    ended += 1
  }

  /// Takes out the response that is to be written next; nil where it has not come yet.
  mutating func next() -> [UInt8]? {
    guard let response = held.removeValue(forKey: due) else { return nil }
    due += 1
    return response
  }

  /// Takes note that the response that was taken out has been written.
  mutating func wrote(_ response: [UInt8]) {
    heldBytes -= response.count
    written += 1
  }
}
