public import AuthCore
import CAuthPixbuf

/// Fits images with gdk-pixbuf, which is loaded for the first image.
///
/// It decodes in this process. A program that holds more than the image does better to decode in another one.
public struct PixbufFitting: ImageFitting {
  /// The JPEG qualities to try, in percent, from best to worst.
  static let qualities = Array(stride(from: 80, through: 10, by: -10))

  /// Creates the fitter; loads nothing yet.
  public init() {}

  /// Loads gdk-pixbuf, and leaves this process nothing but its memory and its open files, as far as the kernel can.
  package static func confine() { cpixbuf_confine() }

  /// Returns an image as an upright JPEG within the limits, without metadata. It is scaled down in proportion, and has
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
      throw .usage("the image", why: error.reason, hint: "use a JPEG, PNG or GIF that other programs can open")
    }
    throw .usage(
      "the image", why: "it has \(smallest) bytes even at the lowest quality, and \(most) are allowed",
      hint: "use a smaller image, or allow fewer pixels")
  }
}
