/// Tracks the lines of a batch: those in progress, the responses not yet written, and the room for more lines.
struct BatchWindow {
  /// The limit of lines in progress, as a multiple of the concurrent requests: as many again wait, ready to be sent.
  /// With one at a time none does, because a line may depend on the one before.
  static let ready = 2
  /// The limit of lines whose responses are not written yet, as a multiple of the concurrent requests.
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
  ///   - parallel: the number of concurrent requests.
  ///   - isOrdered: whether responses are written in the order of the lines; otherwise in the order of their arrival.
  init(parallel: Int, isOrdered: Bool, heldLimit: Int = BatchWindow.heldLimit) {
    self.parallel = parallel
    self.isOrdered = isOrdered
    self.heldLimit = heldLimit
  }

  /// Whether another line may begin.
  var hasRoom: Bool {
    let limit = parallel == 1 ? 1 : parallel * BatchWindow.ready
    return begun - ended < limit && begun - written < parallel * BatchWindow.ahead && heldBytes < heldLimit
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

  /// Whether there is a response to write.
  var isDue: Bool { held[due] != nil }

  /// Takes out the next responses to write, until they have `size` bytes; none if the next one has not arrived yet.
  mutating func next(size: Int) -> (count: Int, bytes: [UInt8]) {
    var (count, bytes) = (0, [UInt8]())
    while bytes.count < size, let response = held.removeValue(forKey: due) {
      if bytes.isEmpty { bytes = response } else { bytes += response }
      due += 1
      count += 1
    }
    return (count, bytes)
  }

  /// Records that responses that were taken out have been written.
  mutating func wrote(_ count: Int, size: Int) {
    heldBytes -= size
    written += count
  }
}
