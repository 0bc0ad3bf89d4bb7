import AuthCore
import Testing

@testable import AuthImages

@Suite("PixbufFitting")
struct PixbufFittingTests {
  let fitting = PixbufFitting()

  @Test(
    "an image is fitted with its proportions kept, and never enlarged",
    arguments: [
      (150, 60, [102, 41]), (60, 150, [41, 102]), (102, 102, [102, 102]), (40, 30, [40, 30]), (300, 1, [102, 1]),
    ])
  func proportions(width: Int, height: Int, fitted: [Int]) async throws {
    let png = SampleImage.png(width: width, height: height) { x, y in [UInt8(x & 255), UInt8(y & 255), 128] }
    let image = try await fitting.fitted(png, limits: ImageLimits(width: 102, height: 102))
    #expect(image.mediaType == "image/jpeg")
    #expect(SampleImage.size(ofJPEG: image.bytes) == fitted)
  }

  @Test("without a size to fit into, the image keeps its own")
  func noFit() async throws {
    let png = SampleImage.png(width: 110, height: 3) { _, _ in [1, 2, 3] }
    #expect(SampleImage.size(ofJPEG: try await fitting.fitted(png, limits: ImageLimits()).bytes) == [110, 3])
  }

  @Test("the first quality from 80 downwards is taken that is small enough", arguments: [80, 70, 50, 10])
  func quality(expected: Int) async throws {
    let noise = SampleImage.noise(width: 60, height: 60)
    let wanted = try Picture(noise, width: 0, height: 0).jpeg(quality: expected)
    let image = try await fitting.fitted(noise, limits: ImageLimits(maxBytes: wanted.count))
    #expect(image.bytes == wanted)
  }

  @Test("an image that is too large at the lowest quality is refused, with both sizes")
  func tooLarge() async throws {
    let noise = SampleImage.noise(width: 60, height: 60)
    let least = try Picture(noise, width: 0, height: 0).jpeg(quality: 10).count
    await #expect {
      _ = try await fitting.fitted(noise, limits: ImageLimits(maxBytes: least - 1))
    } throws: { error in
      guard case .usage(let it) = error as? AuthError else { return false }
      return it.why == "it has \(least) bytes even at the lowest quality, and \(least - 1) are allowed"
    }
  }

  @Test("transparent parts become white")
  func transparency() async throws {
    let clear = SampleImage.png(width: 16, height: 16, hasAlpha: true) { _, _ in [0, 0, 0, 0] }
    let white = SampleImage.png(width: 16, height: 16) { _, _ in [255, 255, 255] }
    let limits = ImageLimits()
    #expect(try await fitting.fitted(clear, limits: limits).bytes == fitting.fitted(white, limits: limits).bytes)
  }

  @Test("an image that is stored lying down is turned upright before it is fitted")
  func orientation() async throws {
    let png = SampleImage.png(width: 90, height: 30) { x, _ in [UInt8(x & 255), 0, 0] }
    let lying = SampleImage.turned(try await fitting.fitted(png, limits: ImageLimits()).bytes)
    let upright = try await fitting.fitted(lying, limits: ImageLimits(width: 102, height: 45))
    #expect(SampleImage.size(ofJPEG: upright.bytes) == [15, 45])
  }

  @Test(
    "a file that is not a whole image is refused, and the reason names no file",
    arguments: ["nothing", "junk", "cut off"])
  func broken(what: String) async {
    let data: [String: [UInt8]] = [
      "junk": Array("junk".utf8), "cut off": SampleImage.noise(width: 50, height: 50).dropLast(3000),
    ]
    await #expect {
      _ = try await fitting.fitted(data[what] ?? [], limits: ImageLimits())
    } throws: { error in
      guard case .usage(let it) = error as? AuthError else { return false }
      return !it.why.isEmpty && !it.why.contains("/proc")
    }
  }

  @Test("an image with too many pixels is refused by its header")
  func tooManyPixels() async {
    await #expect {
      _ = try await fitting.fitted(SampleImage.claiming(width: 20_000, height: 20_000), limits: ImageLimits())
    } throws: { error in
      (error as? AuthError)?.explanation.why == "it has more than 100 million pixels"
    }
  }
}
