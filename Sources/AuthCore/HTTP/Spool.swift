import CFiles
import Synchronization
public import SystemPackage

/// The bytes of a pipe, kept as they are read, so that they can be read again from the start.
///
/// The first ``memoryLimit`` bytes are kept in memory, what comes after in an unlinked file that no other process can
/// open and that is gone with this one. Where that can't be written, the reading goes on, since most bodies are sent
/// but once, and ``failure`` says why there is no second time.
public final class Spool: Sendable {
  /// How many bytes are kept in memory before the file is begun.
  public static let memoryLimit = 1 << 20

  private struct State {
    var memory: [UInt8] = []
    var file: FileDescriptor?
    var count: Int64 = 0
    var ended = false
    var failure: Errno?
  }

  private let source: FileDescriptor
  private let folder: FilePath
  private let state = Mutex(State())

  /// Wraps an open pipe; `folder` is where the unlinked file is made if one is needed.
  public init(_ source: FileDescriptor, folder: FilePath) {
    self.source = source
    self.folder = folder
  }

  deinit {
    // Nothing can be done about a failure here: the file is unlinked already.
    try? state.withLock { $0.file }?.close()
  }

  /// Why what has been read can't be read again; nil where it can.
  public var failure: Errno? { state.withLock { $0.failure } }

  /// How many bytes there are; nil before the end of the source has been read.
  public var wholeCount: Int64? { state.withLock { $0.ended ? $0.count : nil } }

  /// Reads on until the source ends or the memory is full.
  ///
  /// - Returns: the whole content where the source has ended by then, else nil.
  /// - Throws: `Errno` of the failed read.
  public func readAhead() throws -> [UInt8]? {
    while true {
      let (offset, ended) = state.withLock { ($0.count, $0.ended) }
      guard !ended, offset < Spool.memoryLimit else { break }
      // Not a byte more than memory takes: nobody has used it yet, so that it could not be lost.
      var buffer = [UInt8](repeating: 0, count: min(64 << 10, Spool.memoryLimit - Int(offset)))
      _ = try read(into: &buffer, at: offset)
    }
    return state.withLock { $0.ended && $0.count == Int64($0.memory.count) ? $0.memory : nil }
  }

  /// Reads all there is, however much, into memory.
  ///
  /// - Throws: `Errno` of the failed read.
  public func readToEnd() throws -> [UInt8] {
    if let small = try readAhead() { return small }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let size = try read(into: &buffer, at: Int64(content.count))
      guard size > 0 else { return content }
      content += buffer[..<size]
    }
  }

  private func read(into buffer: inout [UInt8], at offset: Int64) throws -> Int {
    try unsafe buffer.withUnsafeMutableBytes { try unsafe read(into: $0, at: offset) }
  }

  /// Reads from a position on: what has been read before from the spool, what has not from the source.
  ///
  /// - Parameter offset: at most the number of bytes that have been read so far.
  /// - Returns: the number of bytes read; 0 at the end.
  /// - Throws: `Errno`; ``failure`` for what could not be kept.
  public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    try state.withLock { state in
      if let failure = state.failure, offset < state.count { throw failure }
      if offset < Int64(state.memory.count) {
        let start = Int(offset)
        let size = min(buffer.count, state.memory.count - start)
        unsafe buffer.copyBytes(from: state.memory[start..<start + size])
        return size
      }
      if offset < state.count, let file = state.file {
        let size = min(Int64(buffer.count), state.count - offset)
        let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(size)])
        return try unsafe file.read(fromAbsoluteOffset: offset - Int64(state.memory.count), into: part)
      }
      guard !state.ended else { return 0 }
      let size = unsafe try source.read(into: buffer)
      guard size > 0 else {
        state.ended = true
        return 0
      }
      unsafe keep(UnsafeRawBufferPointer(rebasing: buffer[..<size]), in: &state)
      return size
    }
  }

  private func keep(_ bytes: UnsafeRawBufferPointer, in state: inout State) {
    let offset = state.count
    state.count += Int64(bytes.count)
    guard state.failure == nil else { return }
    do {
      if state.file == nil, state.memory.count + bytes.count <= Spool.memoryLimit {
        unsafe state.memory.append(contentsOf: bytes)
      } else {
        let file = try state.file ?? unlinkedFile()
        state.file = file
        unsafe try file.writeAll(toAbsoluteOffset: offset - Int64(state.memory.count), bytes)
      }
    } catch {
      state.failure = error as? Errno ?? .ioError
    }
  }

  private func unlinkedFile() throws -> FileDescriptor {
    // The file never has a name.
    let anonymous = FileDescriptor.OpenOptions(rawValue: cfiles_unnamed)
    return try FileDescriptor.open(
      folder, .readWrite, options: [anonymous, .closeOnExec], permissions: [.ownerRead, .ownerWrite])
  }
}
