import FlyingSocks

/// Serves the requests of one accepted socket, one after the other.
struct Connection: Sendable {
  /// The accepted socket, non-blocking; it is closed when the connection has ended.
  let socket: Socket
  /// Where the connection waits.
  let pool: SocketPool<ePoll>
  /// Who answers.
  let router: Router

  /// Serves until the client closes, the connection breaks or a fault ends it.
  func serve() async {
    do {
      let stream = ByteStream(socket: socket, pool: pool)
      while try await serveOne(on: stream) {}
    } catch {
      await router.state.note("connection ended: \(error)")
    }
    await pool.settle()
    do {
      try socket.close()
    } catch {
      await router.state.note("connection not closed: \(error)")
    }
  }

  /// Serves one request and says whether another one may follow.
  private func serveOne(on stream: ByteStream) async throws -> Bool {
    do throws(any Error) {
      guard let lines = try await stream.readHead() else { return false }
      let request = try Request(lines: lines)
      let body = try RequestBody(of: request, from: stream)
      let answer = try await router.answer(request, body: body)
      return try await send(answer, to: request, body: body, on: stream)
    } catch let error as ProtocolError {
      let response = Response(error.status, text: error.reason + "\n", type: "text/plain", outcome: "protocol_error")
      try await ResponseWriter(stream: stream, now: router.state.wallClock()).write(
        response, to: nil, keepsAlive: false)
      return false
    }
  }

  private func send(_ answer: Answer, to request: Request, body: RequestBody, on stream: ByteStream) async throws
    -> Bool
  {
    let writer = await ResponseWriter(stream: stream, now: router.state.wallClock())
    switch answer {
    case .drop:
      return false
    case .hang:
      try await stream.waitForEnd()
      return false
    case .truncated(let response):
      try await body.drain()
      try await writer.writeTruncated(response)
      return false
    case .response(let response):
      // A body that the client holds back never comes after a final answer, so nothing can follow on this connection.
      let keepsAlive = request.keepsAlive && !body.isHeldBack
      // A client that is still sending would lose the answer to a reset.
      if !body.isHeldBack { try await body.drain() }
      try await writer.write(response, to: request.method, keepsAlive: keepsAlive)
      return keepsAlive
    }
  }
}

extension SocketPool {
  /// Returns when the pool has finished the turn in which it woke the caller.
  ///
  /// The pool wakes a waiter before it takes the descriptor out of its queue. Closing the descriptor in between leaves
  /// a stale entry behind, and the next connection that gets the same number would never be woken.
  fileprivate func settle() {}
}
