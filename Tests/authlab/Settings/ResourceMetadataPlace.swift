/// Where the API's metadata is (RFC 9728, section 3.1), beside `/resource-metadata`, to which a challenge may point.
enum ResourceMetadataPlace: String, Codable, Sendable {
  /// At the well-known place with the API's path after it.
  case path
  /// At the well-known place of the root.
  case root
  /// At both.
  case both
  /// At neither.
  case neither
}
