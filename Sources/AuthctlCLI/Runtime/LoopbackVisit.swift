import HTTPServer

/// A browser's visit to the redirect URI: its response, and the page with the outcome.
actor LoopbackVisit<Response: Sendable> {
  private let responses: AsyncStream<Response>
  private let deliver: @Sendable (Response) -> Void
  /// The fields of the response that has been accepted.
  private var fields: [FormField]?
  /// The requests that wait for the page.
  private(set) var waiting: [(exchange: ServerExchange, end: CheckedContinuation<Void, Never>)] = []
  private var page: LoopbackPage?

  /// Creates a visit that has not begun.
  init() {
    let (responses, arrived) = AsyncStream<Response>.makeStream()
    self.responses = responses
    deliver = { arrived.yield($0) }
  }

  /// Waits for the response.
  ///
  /// - Returns: the response; nil if none arrived within `timeout`.
  /// - Throws: `CancellationError`.
  nonisolated func response(within timeout: Duration) async throws -> Response? {
    try await withThrowingTaskGroup(of: Response?.self) { group in
      group.addTask { [responses] in
        for await response in responses { return response }
        throw CancellationError()
      }
      group.addTask {
        try await ContinuousClock().sleep(for: timeout)
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }

  /// Shows the page with the outcome of the login to the browser, unless it shows one already.
  func show(_ page: LoopbackPage) {
    guard self.page == nil else { return }
    self.page = page
    // Sent here: the server may stop before a task that waits is scheduled.
    for (exchange, end) in waiting {
      page.send(to: exchange)
      end.resume()
    }
    waiting = []
  }

  /// Takes an accepted response.
  ///
  /// - Returns: whether it is the first one, or the same again, from a page that was loaded again. Others are ignored.
  @discardableResult func take(_ response: Response, of fields: [FormField]) -> Bool {
    if let first = self.fields { return first.elementsEqual(fields, by: ==) }
    self.fields = fields
    deliver(response)
    return true
  }

  /// Takes an accepted response from the browser. It gets the page with the outcome, or after `patience` one without.
  func take(
    _ response: Response, of fields: [FormField], in exchange: ServerExchange, patience: Duration
  ) async {
    guard take(response, of: fields) else { return LoopbackPage.foreign.send(to: exchange) }
    if let page { return page.send(to: exchange) }
    let limit = Task {
      // Cancelled when the page has been sent.
      if (try? await ContinuousClock().sleep(for: patience)) != nil { show(.late) }
    }
    defer { limit.cancel() }
    await withCheckedContinuation { waiting.append((exchange, $0)) }
  }
}
