import Synchronization
import Testing

@testable import AuthCore

@Suite("MultipartBody")
struct MultipartBodyTests {
  /// Gives one text after another.
  private final class Texts: Sendable {
    private let texts: Mutex<[String]>
    init(_ texts: [String]) { self.texts = Mutex(texts) }
    func next() -> String { texts.withLock { $0.isEmpty ? "end" : $0.removeFirst() } }
  }

  @Test("a boundary that occurs in a part is not used")
  func boundary() {
    let texts = Texts(["one", "two", "three"])
    let body = MultipartBody(
      [.init(name: "a", content: Array("x form-one y form-two".utf8))], random: { texts.next() })
    #expect(body.boundary == "form-three")
  }

  @Test("names of fields and files can't end their quotes or their line (WHATWG HTML, section 4.10.21.8)")
  func names() {
    let body = MultipartBody(
      [.init(name: "a\"b", file: "x\"; filename=\"y\r\nX: 1.png", content: [1, 2])], random: { "B" })
    let head =
      "--form-B\r\nContent-Disposition: form-data; name=\"a%22b\"; filename=\"x%22; filename=%22y%0D%0AX: 1.png\""
      + "\r\nContent-Type: image/png\r\n\r\n"
    #expect(body.bytes == Array(head.utf8) + [1, 2] + Array("\r\n--form-B--\r\n".utf8))
  }

  @Test(
    "the media type follows the name, and the name follows a converted image",
    arguments: [
      ("a.JPG", "image/jpeg", "a.JPG"), ("a.jpeg", "image/jpeg", "a.jpeg"), ("a.png", "image/png", "a.jpg"),
      ("a", "application/octet-stream", "a.jpg"), (".png", "application/octet-stream", ".png.jpg"),
      ("a.b.webp", "image/webp", "a.b.jpg"),
    ])
  func types(name: String, type: String, renamed: String) {
    #expect(FileMediaType.guess(name) == type)
    #expect(FileMediaType.rename(name, to: "image/jpeg") == renamed)
  }

  @Test("an image is fitted only where limits are stated, and sent as what came of it")
  func fitting() async throws {
    let request = try customRequest(
      "url = \"/x\"\nmultipart = { i = { file = \"{i}\", fit = \"10x20\", max_bytes = \"5KB\" }, p = \"@{p}\" }")
    var values = RequestValues()
    values["i"] = .file(name: "me.png", content: [1])
    values["p"] = .file(name: "plain.png", content: [2])
    let asked = Mutex<[ImageLimits]>([])
    let fake = FakeFitting { data, limits in
      asked.withLock { $0.append(limits) }
      return (bytes: data + [9], mediaType: "image/jpeg")
    }
    guard case .multipart(let template) = request.body else { throw Unexpected(request.body) }
    let parts = try await template.filled(values, imageFitting: { fake })
    #expect(
      parts == [
        .init(name: "i", file: "me.jpg", mediaType: "image/jpeg", content: [1, 9]),
        .init(name: "p", file: "plain.png", mediaType: "image/png", content: [2]),
      ])
    #expect(asked.withLock { $0 } == [ImageLimits(width: 10, height: 20, maxBytes: 5000)])
  }

  @Test("an image that can't be fitted is named with its file and field")
  func unfit() async throws {
    let request = try customRequest("url = \"/x\"\nmultipart = { i = { file = \"{i}\", fit = \"10x20\" } }")
    guard case .multipart(let template) = request.body else { throw Unexpected(request.body) }
    var values = RequestValues()
    values["i"] = .file(name: "me.png", content: [1])
    let why = AuthError.Explanation("the image", why: "it is none", hint: "give one")
    await #expect(
      throws: AuthError.usage(.init("the image me.png for the field i", why: "it is none", hint: "give one"))
    ) {
      try await template.filled(values, imageFitting: { RefusingFitting(explanation: why) })
    }
  }

  private struct RefusingFitting: ImageFitting {
    let explanation: AuthError.Explanation

    func fitted(_ data: [UInt8], limits: ImageLimits) async throws(AuthError) -> (bytes: [UInt8], mediaType: String) {
      throw .usage(explanation)
    }
  }

  private struct FakeFitting: ImageFitting {
    let body: @Sendable ([UInt8], ImageLimits) -> (bytes: [UInt8], mediaType: String)

    func fitted(_ data: [UInt8], limits: ImageLimits) async throws(AuthError) -> (bytes: [UInt8], mediaType: String) {
      body(data, limits)
    }
  }
}
