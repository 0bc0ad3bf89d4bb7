import AuthCore
import SystemPackage

extension [UInt8] {
  /// Passes the bytes to a function as a span.
  func withSpan<Result>(_ work: (RawSpan) throws -> Result) rethrows -> Result {
    try unsafe work(span.bytes)
  }
}

extension Span<UInt8> {
  /// Appends the bytes to an array.
  func append(to array: inout [UInt8]) {
    unsafe withUnsafeBufferPointer { unsafe array.append(contentsOf: $0) }
  }
}

extension RawSpan {
  /// Appends the bytes to an array.
  func append(to array: inout [UInt8]) {
    unsafe withUnsafeBytes { unsafe array.append(contentsOf: $0) }
  }

  /// Writes the bytes to a file, directly from their memory.
  ///
  /// - Throws: ``TransportError/outputClosed``, ``TransportError/localFile(detail:)``, `CancellationError`.
  func write(to file: FileDescriptor, for job: TransferTask) throws {
    var rest = unsafe withUnsafeBytes { unsafe $0 }
    while unsafe !rest.isEmpty {
      let count = try LocalFile.retrying("cannot write", file, for: job) { unsafe try file.write(rest) }
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }
}

extension RequestBody {
  /// Reads a part of the body, directly into the buffer.
  ///
  /// - Returns: the number of bytes, 0 at the end.
  /// - Throws: ``TransportError/localFile(detail:)``, `CancellationError`.
  func read(into buffer: inout MutableRawSpan, at position: Int64, for job: TransferTask) throws -> Int {
    if case .sequence(let bodies) = self { return try bodies.read(into: &buffer, at: position, for: job) }
    return try unsafe buffer.withUnsafeMutableBytes { buffer in
      switch self {
      case .bytes(let bytes):
        let count = min(buffer.count, bytes.count - Int(position))
        unsafe buffer.copyBytes(from: bytes[Int(position)..<Int(position) + count])
        return count
      case .file(let file, let offset, let length):
        let part = unsafe UnsafeMutableRawBufferPointer(
          rebasing: buffer[..<Int(min(Int64(buffer.count), length - position))])
        guard unsafe !part.isEmpty else { return 0 }
        let count = try LocalFile.retrying("cannot read the body", nil, for: job) {
          unsafe try file.read(fromAbsoluteOffset: offset + position, into: part)
        }
        guard count > 0 else { throw TransportError.localFile(detail: "the body's file has become shorter") }
        return count
      case .stream(let spool):
        return try LocalFile.retrying("cannot read the body", nil, for: job) {
          unsafe try spool.read(into: buffer, at: position)
        }
      case .sequence:
        return 0
      }
    }
  }
}
