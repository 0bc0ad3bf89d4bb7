public import SystemPackage

/// Where the body of an answer goes.
public enum BodyDestination: Sendable {
  /// Into ``HTTPAnswer/body``; more than `limit` bytes is ``TransportError/answerTooLarge(limit:)``.
  case collect(limit: Int)
  /// Written to an open file as it comes, unbuffered; the file stays open.
  case write(to: FileDescriptor)
  /// Held back up to `limit` bytes until it has come whole; `decide` then gets it and says where it goes. A longer one,
  /// or one that breaks off, is nil there. It must not be held again.
  case hold(limit: Int, decide: @Sendable ([UInt8]?) throws -> BodyDestination)
  /// Read and thrown away; after 64 KiB the connection is closed instead.
  case discard
}
