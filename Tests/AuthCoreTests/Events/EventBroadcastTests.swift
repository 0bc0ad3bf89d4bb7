import Testing

@testable import AuthCore

@Suite("EventBroadcast")
struct EventBroadcastTests {
  private func events(of stream: AsyncStream<AuthEvent>) async -> [AuthEvent] {
    var events: [AuthEvent] = []
    for await event in stream { events.append(event) }
    return events
  }

  @Test("each watcher gets every event from its beginning on; all end with the broadcast")
  func several() async throws {
    var broadcast: EventBroadcast? = EventBroadcast()
    let first = try #require(broadcast?.stream())
    let handler = try #require(broadcast?.handler)
    handler(.waiting)
    let second = try #require(broadcast?.stream())
    handler(.revoked)
    broadcast = nil
    handler(.cleared)
    #expect(await events(of: first) == [.waiting, .revoked])
    #expect(await events(of: second) == [.revoked])
  }

  @Test("of more events than the limit the newest are kept")
  func bounded() async throws {
    var broadcast: EventBroadcast? = EventBroadcast()
    let stream = try #require(broadcast?.stream(limit: 3))
    for number in 1...1000 { broadcast?.handler(.warning("\(number)")) }
    broadcast = nil
    #expect(await events(of: stream) == [.warning("998"), .warning("999"), .warning("1000")])
  }

  @Test("a watcher that has gone is forgotten")
  func gone() async {
    let broadcast = EventBroadcast()
    let staying = broadcast.stream()
    let watching = Task { await events(of: broadcast.stream()) }
    while broadcast.watcherCount < 2 { await Task.yield() }
    watching.cancel()
    _ = await watching.value
    #expect(broadcast.watcherCount == 1)
    do {
      var dropped: AsyncStream<AuthEvent>? = broadcast.stream()
      #expect(broadcast.watcherCount == 2)
      dropped = nil
      _ = dropped
    }
    #expect(broadcast.watcherCount == 1)
    _ = staying
  }
}
