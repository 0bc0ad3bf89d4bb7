import Foundation
import SystemPackage
import TestSupport

@testable import AuthCore

/// A machine with a cache for tokens: its clocks, its memory and a lock file.
final class CachePlace: Sendable {
  let clocks = SetClocks()
  let memory: MemoryCache
  let lock: FileLock
  let file: FilePath
  let folder: TemporaryDirectory
  let events = EventLog()

  init() throws {
    folder = try TemporaryDirectory()
    file = folder.path.appending("work.lock")
    lock = FileLock(file)
    memory = MemoryCache { [clocks] in clocks.uptime }
  }

  /// The cache as a process has it.
  func cache(for limit: Duration = .seconds(30), text: String? = "issuer = 1", lock: (any RefreshLock)? = nil)
    -> TokenCache
  {
    TokenCache(
      for: limit, profile: text, file: file, lock: lock ?? self.lock, memory: memory,
      clocks: .init(now: { [clocks] in clocks.reading.time }, uptime: { [clocks] in clocks.uptime }))
  }

  /// Caches a pair's token as after a read of the store.
  func fill(_ pair: TokenPair = samplePair(), by cache: TokenCache? = nil, spare: Double? = 3540) async {
    let cache = cache ?? self.cache()
    guard let generation = await cache.generation() else { return }
    cache.fill(
      pair, remaining: pair.remaining(at: clocks.reading.time), spare: spare, generation, reportingTo: events.handler)
  }

  /// Erases the generation as a process that is about to change the store does.
  func erase() async throws {
    _ = try await lock.withLock(.exclusive, deadline: .zero) { [events] held in
      held.eraseGeneration(reportingTo: events.handler)
    }
  }
}

extension SetClocks {
  /// The seconds since the start of the machine.
  var uptime: Double { reading.boot?.seconds ?? 0 }
}
