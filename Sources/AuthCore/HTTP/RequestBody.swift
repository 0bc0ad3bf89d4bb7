public import SystemPackage

/// The body of a request. It can be sent again unless ``replayFailure`` is set.
public enum RequestBody: Sendable {
  /// Bytes in memory.
  case bytes([UInt8])
  /// A regular file, read from `offset`. Each attempt starts at `offset` again.
  case file(FileDescriptor, offset: Int64, length: Int64)
  /// A pipe or similar; its bytes are spooled as they are read, so that they can be sent again.
  case stream(Spool)
  /// Several bodies, one after the other.
  case sequence([RequestBody])

  /// The length in bytes; nil if it is unknown before the end.
  public var length: Int64? {
    switch self {
    case .bytes(let bytes): Int64(bytes.count)
    case .file(_, _, let length): length
    case .stream(let spool): spool.length
    case .sequence(let bodies):
      bodies.reduce(0) { sum, body in
        guard let sum, let length = body.length else { return nil }
        return sum + length
      }
    }
  }

  /// The length in bytes; of a stream, nil until its end has been read.
  public var knownLength: Int64? {
    if case .stream(let spool) = self { spool.wholeCount } else { length }
  }

  /// The reason why it can't be sent again; nil if it can.
  public var replayFailure: Errno? {
    switch self {
    case .bytes, .file: nil
    case .stream(let spool): spool.failure
    case .sequence(let bodies): bodies.lazy.compactMap(\.replayFailure).first
    }
  }
}

/// How a file is uploaded as a body.
package enum Upload: Sendable, Equatable {
  /// The whole file.
  case whole
  /// The rest from this byte, as `Content-Range` states (RFC 9110, section 14.5): the server has the part before it.
  case rest(from: Int64)
  /// The whole file, with `Content-Range`: it is unknown which part the server already has.
  case wholeWithRange
}
