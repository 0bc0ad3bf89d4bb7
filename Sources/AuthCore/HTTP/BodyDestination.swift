public import SystemPackage

/// Where the body of an answer goes.
public enum BodyDestination: Sendable {
  /// Into ``HTTPAnswer/body``; more than `limit` bytes is ``TransportError/answerTooLarge(limit:)``.
  case collect(limit: Int)
  /// Written to an open file as it comes, unbuffered; the file stays open.
  case write(to: FileDescriptor)
  /// Read and thrown away; after 64 KiB the connection is closed instead.
  case discard
}
