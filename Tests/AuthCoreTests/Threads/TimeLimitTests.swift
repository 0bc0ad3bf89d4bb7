import Testing

@testable import AuthCore

@Suite("TimeLimit") struct TimeLimitTests {
  @Test("a result in time is returned, and the timer does not hold it back")
  func inTime() async {
    #expect(await TimeLimit.run(.seconds(3600)) { 7 } == 7)
  }

  @Test("an operation that is late is cancelled, goes on, and is not waited for")
  func late() async {
    let (steps, step) = AsyncStream.makeStream(of: String.self)
    let result = await TimeLimit.run(.milliseconds(1)) {
      // Ends only by the cancellation.
      try? await ContinuousClock().sleep(for: .seconds(3600))
      step.yield(Task.isCancelled ? "cancelled" : "not cancelled")
      step.finish()
      return 7
    }
    #expect(result == nil)
    #expect(await steps.reduce(into: []) { $0.append($1) } == ["cancelled"])
  }

  @Test("a cancelled task waits for no result")
  func cancelled() async {
    let waiting = Task {
      while !Task.isCancelled { await Task.yield() }
      return await TimeLimit.run(.seconds(3600)) { try? await ContinuousClock().sleep(for: .seconds(3600)) }
    }
    waiting.cancel()
    #expect(await waiting.value == nil)
  }
}
