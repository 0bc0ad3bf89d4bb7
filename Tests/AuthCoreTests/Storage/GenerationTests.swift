import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AuthCore

@Suite("Generation")
struct GenerationTests {
  private let folder: TemporaryDirectory
  private let path: FilePath
  private let events = EventLog()

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path.appending("work.lock")
  }

  /// Does something under the lock.
  private func locked<Result: Sendable>(_ body: @Sendable (LockHandle) -> Result) async throws -> Result {
    try #require(try await FileLock(path).withLock(.exclusive, deadline: .zero) { held in body(held) })
  }

  @Test("a file that is absent, empty, a link, or anything else has none")
  func none() throws {
    #expect(Generation(in: path) == nil)
    for text in ["", "\n", "{}", String(repeating: "0", count: 32), String(repeating: "g", count: 32) + "\n"] {
      try folder.write(text, to: "work.lock")
      #expect(Generation(in: path) == nil, "\(text)")
    }
    try folder.write(String(repeating: "0", count: 32) + "\n", to: "other")
    #expect(Generation(in: folder.path.appending("other"))?.text == String(repeating: "0", count: 32))
    try FileManager.default.removeItem(atPath: path.string)
    try FileManager.default.createSymbolicLink(atPath: path.string, withDestinationPath: "other")
    #expect(Generation(in: path) == nil)
  }

  @Test("the first holder that asks creates it, later ones find it; 128 bits, never the same")
  func created() async throws {
    let first = try #require(try await locked { $0.currentGeneration() })
    #expect(first.text.count == 32 && first.text.allSatisfy { $0.isHexDigit })
    #expect(try await locked { $0.currentGeneration() } == first)
    #expect(Generation(in: path) == first)
    #expect(Set((0..<100).map { _ in Generation().text }).count == 100)
  }

  @Test("after it is erased there is none, until another one is created")
  func erased() async throws {
    let first = try await locked { $0.currentGeneration() }
    try await locked { [events] in $0.eraseGeneration(reportingTo: events.handler) }
    #expect(Generation(in: path) == nil)
    let second = try await locked { $0.currentGeneration() }
    #expect(second != nil && second != first)
    #expect(Generation(in: path) == second && events.events.isEmpty)
  }

  @Test("without one, erasing writes nothing: a profile without a cache pays nothing")
  func untouched() async throws {
    try await locked { [events] in $0.eraseGeneration(reportingTo: events.handler) }
    #expect(try Data(contentsOf: URL(filePath: path.string)).isEmpty)
  }

  @Test("the note of a failure and the generation don't disturb each other, in whichever order they are written")
  func note() async throws {
    let note = Data(#"{"a":1}"#.utf8)
    try await locked { try? $0.leave(note) }
    let generation = try await locked { $0.currentGeneration() }
    #expect(try await locked(\.note) == note)
    try await locked { [events] in $0.eraseGeneration(reportingTo: events.handler) }
    #expect(try await locked(\.note) == note)
    try await locked { try? $0.leave(Data("longer than before, by a lot".utf8)) }
    let other = try await locked { $0.currentGeneration() }
    #expect(other != nil && other != generation)
    try await locked { try? $0.leave(Data("b".utf8)) }
    #expect(try await locked(\.note) == Data("b".utf8))
    try await locked { try? $0.leave(nil) }
    #expect(try await locked(\.note) == Data())
    #expect(Generation(in: path) == other)
  }

  @Test("a failure is read from a file with a generation, and from one that an earlier version wrote")
  func failure() async throws {
    let failure = try #require(
      RecentFailure(.tryLater(.init("refreshing", why: "503", hint: "")), rest: 1, lostResponse: nil))
    try await locked { try? failure.leave(in: $0) }
    #expect(RecentFailure(in: path)?.failedAt == failure.failedAt)
    _ = try await locked { $0.currentGeneration() }
    #expect(RecentFailure(in: path)?.failedAt == failure.failedAt)
    #expect(try await locked { RecentFailure(leftIn: $0)?.failedAt } == failure.failedAt)
  }

  @Test("a lock that is not in the file system has none")
  func processLock() async throws {
    let none = try await ProcessLock().withLock(.exclusive, deadline: .zero) { [events] held in
      held.eraseGeneration(reportingTo: events.handler)
      return held.currentGeneration() == nil
    }
    #expect(none == true && events.events.isEmpty)
  }
}
