/// Reduces an image to the limits for sending; implement it to use another image library.
public protocol ImageFitting: Sendable {
  /// Scales an image down to the limits, keeping its proportions. It is always compressed again, which also removes the
  /// location and time that a camera records.
  ///
  /// - Returns: the content of the file to send, and its media type such as `image/jpeg`.
  /// - Throws: ``AuthError/usage(_:)`` if the data is not a readable image, or is too big at the lowest quality.
  func fitted(_ data: [UInt8], limits: ImageLimits) async throws(AuthError) -> (bytes: [UInt8], mediaType: String)
}

/// Used if there is no image library: it always fails with an error that states this.
package struct NoImageFitting: ImageFitting {
  /// Creates the placeholder.
  package init() {}

  package func fitted(_ data: [UInt8], limits: ImageLimits) async throws(AuthError) -> (
    bytes: [UInt8], mediaType: String
  ) {
    throw .failed(
      "fitting the image", why: "this program has no image library",
      hint: "resize the image yourself, and set no limits")
  }
}

/// The limits of an image to send: `fit` and `max_bytes` of a multipart field.
public struct ImageLimits: Sendable, Equatable {
  /// The maximum width in pixels; nil for no limit.
  public var width: Int?
  /// The maximum height in pixels; nil for no limit.
  public var height: Int?
  /// The maximum size of the file in bytes; nil for no limit.
  public var maxBytes: Int?

  /// Creates the limits.
  public init(width: Int? = nil, height: Int? = nil, maxBytes: Int? = nil) {
    self.width = width
    self.height = height
    self.maxBytes = maxBytes
  }
}
