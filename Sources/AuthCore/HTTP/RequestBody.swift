public import SystemPackage

/// The body of a request, which can be sent a second time, unless ``replayFailure`` says otherwise.
public enum RequestBody: Sendable {
  /// Bytes in memory.
  case bytes([UInt8])
  /// A regular file, read from `offset` on. Reads are positioned, so that each attempt starts at `offset` again.
  case file(FileDescriptor, offset: Int64, length: Int64)
  /// A pipe or the like: what is read from it is spooled, so that it can be sent again.
  case stream(Spool)
  /// Several, one behind the other.
  case sequence([RequestBody])

  /// The length in bytes, or nil where it is not known before the end.
  public var length: Int64? {
    switch self {
    case .bytes(let bytes): Int64(bytes.count)
    case .file(_, _, let length): length
    case .stream: nil
    case .sequence(let bodies):
      bodies.reduce(0) { sum, body in
        guard let sum, let length = body.length else { return nil }
        return sum + length
      }
    }
  }

  /// The length in bytes as far as it has been read: of a stream, when its end has been.
  public var knownLength: Int64? {
    if case .stream(let spool) = self { spool.wholeCount } else { length }
  }

  /// Why it can't be sent a second time; nil where it can.
  public var replayFailure: Errno? {
    switch self {
    case .bytes, .file: nil
    case .stream(let spool): spool.failure
    case .sequence(let bodies): bodies.lazy.compactMap(\.replayFailure).first
    }
  }
}

/// How a body is sent as a file that is put.
package enum Upload: Sendable, Equatable {
  /// From its beginning to its end.
  case whole
  /// From this byte on, which `Content-Range` says (RFC 9110, section 14.5): the server has what comes before.
  case rest(from: Int64)
  /// From its beginning to its end, which `Content-Range` says: what the server has of it is not known.
  case wholeWithRange
}
