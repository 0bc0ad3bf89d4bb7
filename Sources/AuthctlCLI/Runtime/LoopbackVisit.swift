import FlyingSocks

/// A browser's visit to the redirect URI: its response, and the page with the outcome.
actor LoopbackVisit<Response: Sendable> {
  private let responses: AsyncThrowingStream<Response, any Error>
  private let deliver: @Sendable (Result<Response, any Error>) -> Void
  /// The fields of the response that has been accepted.
  private var fields: [FormField]?
  /// The connections that wait for the page.
  private(set) var waiting: [AsyncSocket] = []
  private var page: LoopbackPage?

  /// Creates a visit that has not begun.
  init() {
    let (responses, arrived) = AsyncThrowingStream<Response, any Error>.makeStream()
    self.responses = responses
    deliver = { arrived.yield(with: $0) }
  }

  /// Waits for the response.
  ///
  /// - Returns: the response; nil if none arrived within `timeout`.
  /// - Throws: `CancellationError`, or the error of the listener.
  nonisolated func response(within timeout: Duration) async throws -> Response? {
    try await withThrowingTaskGroup(of: Response?.self) { group in
      group.addTask { [responses] in
        for try await response in responses { return response }
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
  func show(_ page: LoopbackPage) async {
    guard self.page == nil else { return }
    self.page = page
    let connections = waiting
    waiting = []
    // A browser that has gone away does not change the login's outcome.
    for connection in connections { try? await connection.write(page.response) }
  }

  /// Takes an accepted response.
  ///
  /// - Parameter connection: the browser's; nil if the user has brought the response.
  /// - Returns: the page to show at once; nil if the connection waits for ``show(_:)``. The same response again, from a
  ///   page that was loaded again, gets the same page as the first; any other is ignored.
  func take(_ response: Response, of fields: [FormField], _ connection: AsyncSocket?) -> LoopbackPage? {
    if let first = self.fields, !first.elementsEqual(fields, by: ==) { return .foreign }
    if self.fields == nil {
      self.fields = fields
      deliver(.success(response))
    }
    if page == nil, let connection { waiting.append(connection) }
    return page
  }

  /// Ends the wait for a response, because the listener has failed.
  nonisolated func fail(_ error: any Error) { deliver(.failure(error)) }
}
