/// The last requests, a bounded number of them.
struct RequestLog: Sendable {
  private var records: [RequestRecord] = []
  private var dropped = 0
  private static let capacity = 4096

  /// Appends a record and returns the number under which its status can be set.
  mutating func append(_ record: RequestRecord) -> Int {
    // Half of them at once, so that a request seldom pays for it.
    if records.count >= Self.capacity {
      records.removeFirst(Self.capacity / 2)
      dropped += Self.capacity / 2
    }
    records.append(record)
    return dropped + records.count - 1
  }

  /// Sets the status of a record, unless it is gone.
  mutating func finish(_ number: Int, status: Int) {
    let index = number - dropped
    guard records.indices.contains(index) else { return }
    records[index].status = status
  }

  /// The last `count` records, the oldest first.
  func last(_ count: Int) -> [RequestRecord] {
    Array(records.suffix(count))
  }
}
