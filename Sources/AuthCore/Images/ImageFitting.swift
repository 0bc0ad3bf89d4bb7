/// Makes an image small enough to be sent: the seam into which an image library is plugged.
public protocol ImageFitting: Sendable {
  /// Scales an image down to the limits, keeping its proportions. It is always compressed again, which also removes the
  /// place and time that a camera records.
  ///
  /// - Returns: the content of the file to send, and its media type such as `image/jpeg`.
  /// - Throws: ``AuthError/usage(_:)`` if the data is not a readable image, or is too big at the lowest quality.
  func fitted(_ data: [UInt8], limits: ImageLimits) async throws(AuthError) -> (bytes: [UInt8], mediaType: String)
}

/// What stands in for an image library where there is none: it says so.
package struct NoImageFitting: ImageFitting {
  /// Makes the stand-in.
  package init() {}

  package func fitted(_ data: [UInt8], limits: ImageLimits) async throws(AuthError) -> (
    bytes: [UInt8], mediaType: String
  ) {
    throw .failed(
      .init(
        "fitting the image", why: "this program has no image library",
        hint: "resize the image yourself, and remove fit and max_bytes from the profile"))
  }
}

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
