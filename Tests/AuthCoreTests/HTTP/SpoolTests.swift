import SystemPackage
import TestSupport
import Testing

@testable import AuthCore

@Suite("Spool")
struct SpoolTests {
  /// A file of a given size, read as if it were a pipe.
  private func spool(_ count: Int, in folder: TemporaryDirectory) throws -> (Spool, FileDescriptor, [UInt8]) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    let file = try FileDescriptor.open(
      folder.path.appending("source"), .readWrite, options: [.create], permissions: [.ownerReadWrite])
    _ = try file.writeAll(bytes)
    try file.seek(offset: 0, from: .start)
    return (Spool(file, folder: folder.path), file, bytes)
  }

  @Test(
    "a stream that was read once is read again the same, in memory and beyond it",
    arguments: [0, 1, 65536, Spool.memoryLimit - 1, Spool.memoryLimit, Spool.memoryLimit + 1, 3_000_000])
  func again(count: Int) throws {
    let folder = try TemporaryDirectory()
    let (spool, file, bytes) = try spool(count, in: folder)
    #expect(try spool.readToEnd() == bytes)
    try file.close()
    #expect(try spool.readToEnd() == bytes)
    withExtendedLifetime(folder) {}
  }

  @Test("reading ahead gives a small body whole, and no large one", arguments: [(10, true), (3_000_000, false)])
  func ahead(count: Int, expected: Bool) throws {
    let folder = try TemporaryDirectory()
    let (spool, file, bytes) = try spool(count, in: folder)
    #expect(try spool.readAhead() == (expected ? bytes : nil))
    #expect(try spool.readToEnd() == bytes)
    try file.close()
    withExtendedLifetime(folder) {}
  }

  @Test("a stream that cannot be kept is read to its end once, and the reason is known before a second time")
  func unkept() throws {
    let folder = try TemporaryDirectory()
    let (source, file, bytes) = try spool(3_000_000, in: folder)
    withExtendedLifetime(source) {}
    // A folder in which no file can be made.
    let spool = Spool(file, folder: "/proc")
    #expect(try spool.readAhead() == nil)
    #expect(spool.failure == nil && spool.wholeCount == nil)
    #expect(try spool.readToEnd() == bytes)
    let failure = try #require(spool.failure)
    #expect(spool.wholeCount == 3_000_000)
    #expect(throws: failure) { try spool.readToEnd() }
    #expect(RequestBody.sequence([.bytes([1]), .stream(spool)]).replayFailure == failure)
    try file.close()
    withExtendedLifetime(folder) {}
  }

  @Test("a spool that is kept has no failure, and knows its length when it has been read")
  func kept() throws {
    let folder = try TemporaryDirectory()
    let (spool, file, bytes) = try spool(3_000_000, in: folder)
    let body = RequestBody.sequence([.bytes([1, 2]), .stream(spool)])
    #expect(body.length == nil && body.knownLength == nil)
    #expect(try spool.readToEnd() == bytes)
    #expect(spool.wholeCount == 3_000_000 && body.replayFailure == nil)
    #expect(RequestBody.stream(spool).knownLength == 3_000_000)
    try file.close()
    withExtendedLifetime(folder) {}
  }

  /// Bytes that never end.
  private func endless(_ quota: Spool.Quota, inMemory: Int = 1000) -> Spool {
    unsafe Spool(folder: "/tmp", inMemory: inMemory, length: 7, quota: quota) { buffer in
      unsafe buffer.copyBytes(from: [UInt8](repeating: 7, count: buffer.count))
      return buffer.count
    }
  }

  private func read(_ count: Int, of spool: Spool, at offset: Int = 0) throws {
    var buffer = [UInt8](repeating: 0, count: count)
    _ = try unsafe buffer.withUnsafeMutableBytes { try unsafe spool.read(into: $0, at: Int64(offset)) }
  }

  @Test("files are limited one by one and all together; what is in memory does not count, and an end gives room back")
  func quota() throws {
    let quota = Spool.Quota(single: 100, total: 150)
    let first = endless(quota)
    #expect(RequestBody.stream(first).length == 7)
    try read(1000, of: first)
    try read(100, of: first, at: 1000)
    #expect(first.failure == nil)
    try read(1, of: first, at: 1100)
    #expect(first.failure == .noSpace)
    do {
      let second = endless(quota)
      try read(1000, of: second)
      try read(50, of: second, at: 1000)
      #expect(second.failure == nil)
      try read(1, of: second, at: 1050)
      #expect(second.failure == .noSpace)
    }
    let third = endless(quota)
    try read(1000, of: third)
    try read(50, of: third, at: 1000)
    #expect(third.failure == nil)
    withExtendedLifetime(first) {}
  }
}
