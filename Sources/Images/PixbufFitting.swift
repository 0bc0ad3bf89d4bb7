public import AuthCore

/// Fits images with gdk-pixbuf, which is loaded when the first one is to be fitted.
public struct PixbufFitting: ImageFitting {
  /// The qualities that are tried, in percent, from 0.8 downwards.
  static let qualities = Array(stride(from: 80, through: 10, by: -10))

  /// Makes it; nothing is loaded yet.
  public init() {}

  /// Gives an image as a JPEG within the limits: scaled down with its proportions kept, upright, without metadata, in
  /// the best quality that is small enough.
  public func fitted(
    _ data: [UInt8], limits: ImageLimits
  ) async throws(AuthError) -> (bytes: [UInt8], mediaType: String) {
    let most = limits.maxBytes ?? .max
    var smallest = 0
    do {
      let picture = try Picture(data, width: limits.width ?? 0, height: limits.height ?? 0)
      for quality in PixbufFitting.qualities {
        let bytes = try picture.jpeg(quality: quality)
        guard bytes.count > most else { return (bytes, "image/jpeg") }
        smallest = bytes.count
      }
    } catch {
      throw .usage(.init("the image", why: error.reason, hint: "use a JPEG, PNG or GIF that other programs can open"))
    }
    throw .usage(
      .init(
        "the image", why: "it has \(smallest) bytes even at the lowest quality, and \(most) are allowed",
        hint: "use a smaller image, or a smaller fit in the profile"))
  }
}
