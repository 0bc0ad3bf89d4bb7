import Foundation
import HTTPTypes
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import AuthCore

@Suite("RefreshMark")
struct RefreshMarkTests {
  /// A transport that connects before a request may begin, as the real one does.
  private final class Line: HTTPTransport {
    let connectsFirst = true
    let failure: TransportError?
    private let steps = Mutex<[String]>([])
    private let pair: @Sendable () -> TokenPair?

    init(_ secrets: MemorySecrets, failure: TransportError? = nil) {
      self.failure = failure
      pair = { try? secrets.pair }
    }

    /// What has happened, and whether the stored item had the mark then.
    var seen: [String] { steps.withLock { $0 } }

    private func note(_ step: String) {
      let isMarked = pair()?.refreshBegan != nil
      steps.withLock { $0.append(isMarked ? "\(step), marked" : step) }
    }

    func send(_ transfer: Transfer) async throws -> TransferResponse {
      note("connected")
      if let failure { throw failure }
      try await transfer.beforeSending?()
      note("sent")
      let body = Array(#"{"access_token":"A2","refresh_token":"R2","expires_in":60}"#.utf8)
      return TransferResponse(status: 200, fields: [:], body: body, bodyCount: 0)
    }
  }

  private let folder: TemporaryDirectory
  private let events = EventLog()
  private let secrets: MemorySecrets

  init() throws {
    folder = try TemporaryDirectory()
    secrets = try MemorySecrets(samplePair(life: -1).beginning("S"))
  }

  private func manager(
    _ line: Line, _ profile: Profile? = nil, lockDeadline: Duration = .seconds(60)
  ) throws -> TokenManager {
    let connection = ServerConnection(
      transport: line, network: NetworkOptions(), userAgent: "test", now: { .sample }, events: events.handler)
    let server = AuthorizationServer(profile: try profile ?? sampleProfile(), connection: connection, secrets: secrets)
    return TokenManager(
      storage: SecretTokenStorage(secrets, profile: "work"), lock: FileLock(folder.path.appending("work.lock")),
      refresher: OAuthRefresher(server, pause: .milliseconds(1)),
      policy: .init(lockDeadline: lockDeadline, patience: .seconds(600), failureRest: .zero), now: { .sample },
      events: events.handler)
  }

  @Test("it is written when the connection is open, and the request is sent after it (invariant 3)")
  func order() async throws {
    let line = Line(secrets)
    #expect(try await manager(line).token().accessToken == Secret("A2"))
    #expect(line.seen == ["connected", "sent, marked"])
    #expect(try secrets.pair?.refreshBegan == nil)
  }

  @Test("without a connection nothing is written")
  func unreachable() async throws {
    let before = secrets.items
    let line = Line(secrets, failure: .unreachable(detail: "no route"))
    await #expect(throws: AuthError.self) { try await manager(line).token() }
    #expect(Set(line.seen) == ["connected"])
    #expect(secrets.saves == 0 && secrets.items == before)
  }

  @Test("if it can't be written, nothing is sent, and the store's error is that of the refresh")
  func unwritable() async throws {
    secrets.failNextSaves(1)
    let line = Line(secrets)
    await #expect(throws: MemorySecrets.fault) { try await manager(line).token() }
    #expect(line.seen == ["connected"])
    #expect(secrets.saves == 1)
  }

  @Test("if so much time has passed that no process waits for the lock, nothing is sent, and the item is as it was")
  func late() async throws {
    let before = try secrets.pair
    let line = Line(secrets)
    do {
      _ = try await manager(line, lockDeadline: .zero).token()
      Issue.record("refreshed")
    } catch AuthError.tryLater(let explanation) {
      #expect(explanation.why.contains("it was not sent"), "\(explanation.why)")
    }
    #expect(line.seen == ["connected"])
    #expect(try secrets.pair == before)
  }
}
