import Testing

@testable import AuthCore

@Suite("Origin")
struct OriginTests {
  @Test(
    "the same scheme, host and port are one origin, however they are written (RFC 6454, section 4)",
    arguments: [
      ("https://API.example.com", "https://api.example.com:443/x?y", true),
      ("https://api.example.com", "https://api.example.com./", false),
      ("https://api.example.com", "https://api.example.com:8443/", false),
      ("https://api.example.com", "http://api.example.com:443/", false),
      ("https://api.example.com", "https://api.example.com.evil.example/", false),
      ("https://api.example.com", "https://example.com/", false),
      ("https://[2001:db8::A]/", "https://[2001:DB8::a]:443/", true),
      ("http://127.0.0.1", "http://localhost", false),
      ("https://bücher.example", "https://XN--BCHER-KVA.example/", true),
      ("https://bücher.example", "https://bu\u{308}cher.example/", true),
      ("https://api.example.com", "https://\u{FF41}pi.example\u{3002}com/", true),
      // Cyrillic
      ("https://apple.com", "https://\u{430}pple.com/", false),
      ("https://fass.example", "https://faß.example/", false),
      ("https://127.0.0.1", "https://0x7f.1", true), ("https://[::1]", "https://[0:0:0:0:0:0:0:1]", true),
      ("https://[::ffff:127.0.0.1]", "https://[::FFFF:7f00:1]", true),
      ("https://127.0.0.1", "https://[::ffff:127.0.0.1]", false),
      ("https://localhost", "https://localhost.", false),
    ])
  func same(one: String, other: String, expected: Bool) throws {
    #expect((try WebURL(one).origin == WebURL(other).origin) == expected)
  }

  @Test(
    "credentials may go over TLS, or to this machine",
    arguments: [
      ("https://api.example.com", true, false), ("http://api.example.com", false, false),
      ("http://localhost:8080", true, true), ("http://LOCALHOST", true, true), ("http://127.0.0.1", true, true),
      ("http://127.255.1.2", true, true), ("http://[::1]:9", true, true), ("http://localhost.", false, false),
      ("http://localhost.evil.example", false, false), ("http://127.0.0.1.evil.example", false, false),
      ("http://127.0.0", true, true), ("http://127.0.0.1.example", false, false), ("http://127.0.0.-1", false, false),
      ("http://128.0.0.1", false, false), ("http://2130706433", true, true), ("http://0x7f.0.0.1", true, true),
      ("http://0", false, false), ("http://[::ffff:127.0.0.1]", false, false), ("http://[0::0:1]", true, true),
      ("http://a.localhost", false, false),
      ("http://[::2]", false, false), ("http://10.0.0.1", false, false),
    ])
  func secure(text: String, isSecure: Bool, isLoopback: Bool) throws {
    let origin = try WebURL(text).origin
    #expect(origin.isSecure == isSecure)
    #expect(origin.isLoopback == isLoopback)
  }

  @Test(
    "an origin is written without its default port",
    arguments: [
      ("https://a:443/x", "https://a"), ("http://a:443/x", "http://a:443"), ("http://a:80", "http://a"),
      ("https://[::1]:8443", "https://[::1]:8443"),
    ])
  func written(text: String, expected: String) throws {
    #expect(try WebURL(text).origin.string == expected)
    #expect("\(try WebURL(text).origin)" == expected)
  }
}
