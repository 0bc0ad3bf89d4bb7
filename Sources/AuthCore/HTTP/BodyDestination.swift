public import SystemPackage

/// Where the body of an answer goes.
public enum BodyDestination: Sendable {
  /// Into ``HTTPAnswer/body``; more than `limit` bytes is ``TransportError/answerTooLarge(limit:)``.
  case collect(limit: Int)
  /// Written to an open file as it comes, unbuffered; the file stays open.
  case write(to: FileDescriptor)
  /// Changed part by part as it comes, and what has become of it written to an open file, which stays open. What the
  /// change keeps back at the end is its own to write.
  case change(by: @Sendable ([UInt8]) throws -> [UInt8], to: FileDescriptor)
  /// Held back up to `limit` bytes until it has come whole; `decide` then gets it and says where it goes. A longer one,
  /// or one that breaks off, is nil there. It must not be held again.
  case hold(limit: Int, decide: @Sendable ([UInt8]?) throws -> BodyDestination)
  /// Read and thrown away; after 64 KiB the connection is closed instead.
  case discard
}
