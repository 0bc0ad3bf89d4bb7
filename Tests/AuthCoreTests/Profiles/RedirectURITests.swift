import Testing

@testable import AuthCore

@Suite("RedirectURI")
struct RedirectURITests {
  @Test(
    "the text stays as it is registered; only a missing port is filled in (RFC 8252, section 7.3)",
    arguments: [
      ("http://127.0.0.1/callback", nil, "http://127.0.0.1:4711/callback"),
      ("http://localhost:8085/cb", 8085, "http://localhost:4711/cb"), ("http://[::1]", nil, "http://[::1]:4711"),
      ("http://127.0.0.1:80/", 80, "http://127.0.0.1:4711/"),
    ] as [(String, Int?, String)])
  func taken(text: String, port: Int?, filled: String) throws {
    let uri = try RedirectURI(text)
    #expect(uri.port == port)
    #expect(uri.string(port: 4711) == filled)
  }

  @Test(
    "a redirect URI that no listener of ours can serve is refused",
    arguments: [
      "https://127.0.0.1/", "http://example.com/", "http://127.0.0.2/", "http://127.0.0.1/?a", "http://127.0.0.1/#a",
      "app:/callback", "", "http://127.1/", "http://0x7f.0.0.1/", "http://[0::1]/", "http://\u{FF2C}OCALHOST/",
      "http://127.0.0.1/\u{301}", "http://127.0.0.1/ä",
    ])
  func refused(text: String) {
    #expect(throws: WebURL.Invalid.self) { try RedirectURI(text) }
  }
}
