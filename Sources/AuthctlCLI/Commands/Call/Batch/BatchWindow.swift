/// Tracks the lines of a batch: those in progress, the responses not yet written, and the room for more lines.
struct BatchWindow {
  /// The limit of lines whose responses are not written yet, as a multiple of the concurrent lines.
  static let ahead = 16
  /// The limit of unwritten bytes of responses: beyond it no line begins.
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
  ///   - parallel: the number of concurrent lines.
  ///   - isOrdered: whether responses are written in the order of the lines; otherwise in the order of their arrival.
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

  /// Begins a line and returns its position.
  mutating func begin() -> Int {
    defer { begun += 1 }
    return begun
  }

  /// Accepts the response to the line at a position; it may be empty.
  mutating func end(_ place: Int, _ response: [UInt8]) {
    held[isOrdered ? place : ended] = response
    heldBytes += response.count
    ended += 1
  }

  /// Takes out the next response to write; nil if it has not arrived yet.
  mutating func next() -> [UInt8]? {
    guard let response = held.removeValue(forKey: due) else { return nil }
    due += 1
    return response
  }

  /// Records that the response that was taken out has been written.
  mutating func wrote(_ response: [UInt8]) {
    heldBytes -= response.count
    written += 1
  }
}
