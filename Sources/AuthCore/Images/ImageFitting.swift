/// Makes an image small enough to be sent: the seam into which an image library is plugged.
public protocol ImageFitting: Sendable {
  /// Fits an image into limits, with its proportions kept; it is compressed anew in any case, which also leaves out what
  /// a camera writes of place and time.
  ///
  /// - Returns: the content of the file to send, and its media type such as `image/jpeg`.
  /// - Throws: ``AuthError/usage(_:)`` where the data is no image that can be read, or too big at the least quality.
  func fitted(_ data: [UInt8], limits: ImageLimits) async throws(AuthError) -> (bytes: [UInt8], mediaType: String)
}

/// What stands in for an image library where there is none: it says so.
public struct NoImageFitting: ImageFitting {
  /// Makes the stand-in.
  public init() {}

  public func fitted(_ data: [UInt8], limits: ImageLimits) async throws(AuthError) -> (
    bytes: [UInt8], mediaType: String
  ) {
    throw .failed(
      .init(
        "fitting the image", why: "this program has no image library",
        hint: "resize the image yourself, and remove fit and max_bytes from the profile"))
  }
}
