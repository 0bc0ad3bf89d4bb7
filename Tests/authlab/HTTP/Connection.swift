import HTTPServer

/// Answers a request on its connection, or fails to as the answer demands.
struct Connection: Sendable {
  /// The request, and the way for its answer.
  let exchange: ServerExchange
  /// Who answers.
  let router: Router

  /// Answers the request.
  func serve() async {
    let body = RequestBody(of: exchange)
    do {
      try await send(router.answer(Request(exchange.request), body: body), body)
    } catch is RequestBody.TooLong {
      exchange.respond(
        status: 413, fields: [("Content-Type", "text/plain"), ("Connection", "close")],
        body: Array("The body is too long.\n".utf8))
    } catch {
      await router.state.note("connection ended: \(error)")
      exchange.abort()
    }
  }

  private func send(_ answer: Answer, _ body: RequestBody) async throws {
    let writer = await ResponseWriter(exchange, router.state)
    if case .drop = answer {
      // A client that has sent a short body finds the end of the connection, not a reset.
      if !body.isHeldBack { _ = try await body.next() }
      return exchange.abort()
    }
    // A client that is still sending would lose the answer to a reset. A body that it holds back never comes.
    if !body.isHeldBack { try await body.drain() }
    switch answer {
    case .drop: break
    case .hang: await withCheckedContinuation { client in exchange.whenGone { client.resume() } }
    case .truncated(let response): try await writer.writeTruncated(response)
    case .response(let response): try await writer.write(response)
    }
  }
}
