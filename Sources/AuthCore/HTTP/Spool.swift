import CAuthFiles
import Synchronization
public import SystemPackage

/// What a source of bytes throws if none is there yet, instead of blocking the thread.
package struct BytesAwaited: Error {
  /// Calls a function once when bytes, or the end of them, are there; immediately if they are.
  package let whenThere: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Creates the error from what calls the function.
  package init(_ whenThere: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.whenThere = whenThere
  }
}

/// Keeps the bytes that are read from a pipe, so that they can be read again from the start.
///
/// The first bytes are kept in memory, by default ``memoryLimit``, the rest in an unlinked file that no other process
/// can open and that disappears with this process. If the file can't be written, reading continues, since most bodies
/// are sent only once, and ``failure`` states why the body can't be sent again.
@safe public final class Spool: Sendable {
  /// The number of bytes that are kept in memory before a file is created.
  public static let memoryLimit = 1 << 20

  private struct State {
    var memory: [UInt8] = []
    var file: FileDescriptor?
    var count: Int64 = 0
    /// The number of bytes in the file that the quota counts.
    var counted: Int64 = 0
    var ended = false
    var failure: Errno?
  }

  /// Reads the next bytes; 0 at the end. It may throw ``BytesAwaited``.
  package typealias Source = @Sendable (UnsafeMutableRawBufferPointer) throws -> Int

  /// The stated number of bytes; nil if it is not known before the end.
  let length: Int64?
  private let source: Source
  private let folder: FilePath
  private let inMemory: Int
  private let quota: Quota?
  private let state: Mutex<State>

  /// Wraps an open pipe; the unlinked file is created in `folder` if it is needed.
  public convenience init(_ source: FileDescriptor, folder: FilePath) {
    unsafe self.init(folder: folder) { unsafe try source.read(into: $0) }
  }

  /// Wraps another source of bytes.
  ///
  /// - Parameters:
  ///   - beginning: the bytes before those of the source, at most `inMemory`.
  ///   - inMemory: the number of bytes that are kept in memory before a file is created.
  ///   - length: the number of bytes, if it is stated.
  ///   - quota: limits the files of several spools; nil for no limit.
  package init(
    folder: FilePath, beginning: [UInt8] = [], inMemory: Int = Spool.memoryLimit, length: Int64? = nil,
    quota: Quota? = nil,
    source: @escaping Source
  ) {
    unsafe self.source = source
    self.folder = folder
    self.inMemory = inMemory
    self.length = length
    self.quota = quota
    state = Mutex(State(memory: beginning, count: Int64(beginning.count)))
  }

  deinit {
    let state = state.withLock { $0 }
    quota?.release(state.counted)
    // Nothing can be done about a failure here: the file is unlinked already.
    try? state.file?.close()
  }

  /// The room for the files of several spools.
  package final class Quota: Sendable {
    /// The maximum size of one file, in bytes.
    package let single: Int64
    private let total: Int64
    private let used = Mutex<Int64>(0)

    /// Creates a quota, for one file and for all.
    package init(single: Int64, total: Int64) {
      self.single = single
      self.total = total
    }

    /// Whether there is room for a file of this size now.
    package func hasRoom(for size: Int64) -> Bool { used.withLock { size <= single && $0 + size <= total } }

    /// Takes room for more bytes of a file, which then has `size`.
    fileprivate func take(_ count: Int64, size: Int64) throws(Errno) {
      let isThere = used.withLock { used in
        guard size <= single, used + count <= total else { return false }
        used += count
        return true
      }
      if !isThere { throw .noSpace }
    }

    fileprivate func release(_ count: Int64) { used.withLock { $0 -= count } }
  }

  /// The reason why the read bytes can't be read again; nil if they can.
  public var failure: Errno? { state.withLock { $0.failure } }

  /// The total number of bytes; nil before the end of the source has been read.
  public var wholeCount: Int64? { state.withLock { $0.ended ? $0.count : nil } }

  /// Reads until the source ends or the memory limit is reached.
  ///
  /// - Returns: the whole content if the source has ended, else nil.
  /// - Throws: `Errno` of the failed read.
  public func readAhead() throws -> [UInt8]? {
    while true {
      let (offset, ended) = state.withLock { ($0.count, $0.ended) }
      guard !ended, offset < Spool.memoryLimit else { break }
      // Read no more than fits in memory: the bytes have not been used yet and must not be lost.
      var buffer = [UInt8](repeating: 0, count: min(64 << 10, Spool.memoryLimit - Int(offset)))
      _ = try read(into: &buffer, at: offset)
    }
    return state.withLock { $0.ended && $0.count == Int64($0.memory.count) ? $0.memory : nil }
  }

  /// Reads the whole content into memory, regardless of its size.
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

  /// Reads from a position: bytes that have been read before from the spool, others from the source.
  ///
  /// - Parameter offset: at most the number of bytes that have been read so far.
  /// - Returns: the number of bytes read; 0 at the end.
  /// - Throws: `Errno`; ``failure`` for bytes that could not be kept.
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
      let size = unsafe try source(buffer)
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
      if state.file == nil, state.memory.count + bytes.count <= inMemory {
        unsafe state.memory.append(contentsOf: bytes)
      } else {
        try quota?.take(Int64(bytes.count), size: state.count - Int64(state.memory.count))
        state.counted += Int64(bytes.count)
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
