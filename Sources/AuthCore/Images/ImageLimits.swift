/// What an image must fit into before it is sent: `fit` and `max_bytes` of a multipart field.
public struct ImageLimits: Sendable, Equatable {
  /// The greatest width in pixels; nil for any.
  public var width: Int?
  /// The greatest height in pixels; nil for any.
  public var height: Int?
  /// The greatest size of the file in bytes; nil for any.
  public var maxBytes: Int?

  /// States the limits.
  public init(width: Int? = nil, height: Int? = nil, maxBytes: Int? = nil) {
    self.width = width
    self.height = height
    self.maxBytes = maxBytes
  }
}
