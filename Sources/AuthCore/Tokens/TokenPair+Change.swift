extension TokenPair {
  /// The number of a stored pair's last change, and the process that made it.
  package struct Change: Sendable, Equatable, Codable {
    /// The number of the change, from 1: an observer that misses a number has missed a change.
    package let number: Int
    /// The identifier of the process that made the change, or for which it was made.
    package let process: Int32

    enum CodingKeys: String, CodingKey {
      case number
      case process = "pid"
    }

    /// Creates a record of a change.
    package init(number: Int, process: Int32) {
      self.number = number
      self.process = process
    }
  }

  /// The last change of a stored pair. It is not part of the pair's value: a storage sets it with each write.
  struct ChangeMark: Sendable, Equatable {
    /// The last change; nil if no version that counts changes has written the pair.
    var last: Change?

    static func == (one: ChangeMark, other: ChangeMark) -> Bool { true }
  }

  /// The last change of the stored pair; nil if no version that counts changes has written it.
  package var change: Change? {
    get { changeMark.last }
    set { changeMark.last = newValue }
  }

  /// Returns this pair as the successor of a stored one, with the number of the change.
  ///
  /// A write that changes neither the tokens nor the state of the session, such as the mark of a refresh that begins,
  /// is not counted.
  func counted(after stored: TokenPair, by process: Int32) -> TokenPair {
    var pair = self
    let isCounted =
      accessToken != stored.accessToken || sessionID != stored.sessionID || lastRefresh != stored.lastRefresh
      || (lastError?.final == true) != (stored.lastError?.final == true) || isDead != stored.isDead
    pair.change = isCounted ? Change(number: (stored.change?.number ?? 0) + 1, process: process) : stored.change
    return pair
  }
}
