extension TokenPair {
  /// The number of a stored pair's last change, and the process that made it.
  package struct Change: Sendable, Equatable {
    /// The number of the change, from 1: an observer that misses a number has missed a change. It is 0 for a refreshed
    /// pair that could not be stored yet.
    package let number: Int
    /// The process that made the change, or for which it was made.
    package var process: RefreshingProcess

    /// Creates a record of a change.
    package init(number: Int, process: RefreshingProcess) {
      self.number = number
      self.process = process
    }
  }

  /// The process that obtained this access token by a refresh; nil for a login, after a refusal, or if unknown.
  var refreshedBy: RefreshingProcess? { lastRefresh != nil && lastError?.final != true ? change?.process : nil }

  /// Returns this pair as the successor of a stored one, with the number of the change.
  ///
  /// A write that changes neither the tokens nor the state of the session, such as the mark of a refresh that begins,
  /// is not counted. A refreshed pair that could not be stored at once keeps the process that obtained it.
  func counted(after stored: TokenPair, by process: RefreshingProcess) -> TokenPair {
    var pair = self
    let isCounted =
      accessToken != stored.accessToken || sessionID != stored.sessionID || lastRefresh != stored.lastRefresh
      || (lastError?.final == true) != (stored.lastError?.final == true) || isDead != stored.isDead
    let origin = change?.number == 0 ? change?.process : nil
    pair.change =
      isCounted ? Change(number: (stored.change?.number ?? 0) + 1, process: origin ?? process) : stored.change
    return pair
  }
}

extension TokenPair.Change: Encodable {
  enum CodingKeys: String, CodingKey {
    case number
    case process = "pid"
    case isInBackground = "background"
  }

  /// Writes the stored form.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(number, forKey: .number)
    try values.encode(process.pid, forKey: .process)
    if process.isInBackground { try values.encode(true, forKey: .isInBackground) }
  }
}
