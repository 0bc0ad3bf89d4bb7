import HTTPTypes
import Testing

@testable import AuthCore

@Suite("A response in a few words")
struct ResponseOutlineTests {
  private func outline(_ body: String, type: String? = "text/html", hiding secrets: [String] = []) -> String {
    let fields: HTTPFields = type.map { [.contentType: $0] } ?? [:]
    var response = TransferResponse(status: 200, fields: fields, body: Array(body.utf8))
    response.secrets = secrets.map { Secret($0) }
    return response.outline()
  }

  @Test("status, content type and the first words")
  func words() {
    #expect(outline("<html>\r\n  <title>Sign in</title>") == "200, text/html: <html> <title>Sign in</title>")
    #expect(outline("", type: nil) == "200, no content type, empty")
    #expect(outline("\u{1B}[2J a\u{202E}b", type: "a\u{9B}b") == "200, a\\u{9b}b: \\u{1b}[2J a\\u{202e}b")
  }

  @Test("an outline is bounded, however long the body is")
  func bounded() {
    let shown = outline(String(repeating: "word ", count: 100_000))
    #expect(shown.hasSuffix("wor…") || shown.hasSuffix("…"))
    #expect(shown.count < 150)
  }

  @Test(
    "no secret is in it: not by its name, not by its value, not by its look",
    arguments: [
      "access_token=topsecret&token_type=bearer", #"{"access_token":"topsecret", "#, "topsecret-topsecret",
      "the token is topsecret-0123456789-abc", "you sent topsecret here", "<input name=a value='topsecret'> x",
      "eyJhbGciOiJFUzI1NiJ9.topsecret.topsecret and more",
    ])
  func secrets(body: String) {
    #expect(!outline(body, hiding: ["topsecret"]).contains("topsecret"))
  }

  @Test("a body that is a bare token is not shown")
  func bareToken() {
    #expect(outline("0123456789abcdef", type: "text/plain") == "200, text/plain, one word")
    #expect(outline("OK", type: "text/plain") == "200, text/plain: OK")
  }
}
