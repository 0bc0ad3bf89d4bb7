import AuthCore
import Synchronization

/// Thousands of tasks with one session, and its death.
struct ManyTasks {
  let lab: Lab

  /// Counts from any task.
  private final class Counter: Sendable {
    private let number = Mutex(0)
    var value: Int { number.withLock { $0 } }
    func add() { number.withLock { $0 += 1 } }
  }

  func run() async throws {
    let logins = Counter()

    var settings = SessionSettings()
    settings.policy.refreshBefore = .seconds(30)
    settings.onLoginRequired = { _ in
      logins.add()
      print("login required")
    }

    let server = try AuthorizationServer("work", issuer: lab.origin, clientID: "cli", transport: lab.transport)
    let session = TokenSession("work", storage: .memory, server: server, settings: settings)
    try await session.logIn(with: try await server.logIn(username: "alice", password: Secret("alice-pass")))
    let client = session.client(base: try lab.url("/api"), transport: lab.transport)

    try await lab.order("expire")
    let before = try await lab.count("token.refresh_token.ok")
    let fine = await succeeding(200) { _ = try await client.send(.get("me"), as: EmptyResponse.self) }
    print("200 tasks: \(fine) fine, refreshes: \(try await lab.count("token.refresh_token.ok") - before)")

    try await lab.order("revoke-all")
    let left = await succeeding(200) { _ = try await client.send(.get("me"), as: EmptyResponse.self) }
    print("200 tasks of a dead session: \(left) fine, logins wanted: \(logins.value)")
  }

  private func succeeding(_ count: Int, _ body: @escaping @Sendable () async throws -> Void) async -> Int {
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<count {
        group.addTask {
          do {
            try await body()
            return 1
          } catch {
            return 0
          }
        }
      }
      return await group.reduce(0, +)
    }
  }
}
