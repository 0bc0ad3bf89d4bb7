import Testing

@testable import AuthCore

@Suite("WebURL")
struct WebURLTests {
  @Test(
    "a URL is rewritten in its normal form (RFC 3986, section 6.2.2.1 and 6.2.3)",
    arguments: [
      ("https://API.Example.com/Path?Q=1", "https://api.example.com/Path?Q=1"),
      ("HTTPS://api.example.com", "https://api.example.com/"),
      ("https://api.example.com:443/", "https://api.example.com/"),
      ("https://api.example.com:/", "https://api.example.com/"),
      ("http://127.0.0.1:80/a", "http://127.0.0.1/a"),
      ("https://api.example.com:8443/a#fragment", "https://api.example.com:8443/a"),
      ("https://api.example.com?q=1", "https://api.example.com/?q=1"),
      ("https://api.example.com#f", "https://api.example.com/"),
      ("https://[2001:DB8::1]:8443/a", "https://[2001:db8::1]:8443/a"),
      ("https://api.example.com/ä?ü", "https://api.example.com/%C3%A4?%C3%BC"),
      ("https://api.example.com/%2e%2F", "https://api.example.com/%2e%2F"),
      ("https://api.example.com/@me?u=a@b", "https://api.example.com/@me?u=a@b"),
      ("https://api.example.com:0008443/", "https://api.example.com:8443/"),
      ("https://api.example.com./", "https://api.example.com./"),
      // A combining mark makes one character of it and the sign before it.
      ("https://api.example.com/\u{301}", "https://api.example.com/%CC%81"),
      ("https://api.example.com?\u{301}q", "https://api.example.com/?%CC%81q"),
      ("https://api.example.com/a#\u{301}f", "https://api.example.com/a"),
    ])
  func canonical(text: String, expected: String) throws {
    #expect(try WebURL(text).string == expected)
  }

  @Test(
    "a URL that begins with a known origin is read as any other",
    arguments: [
      "https://api.example.com:8443/", "https://api.example.com:8443/a/b?c=d&e=%2F@:",
      "https://api.example.com:8443//evil.example/", "https://api.example.com:8443/?u=https://b/",
    ])
  func known(text: String) throws {
    let origin = try WebURL("https://api.example.com:8443").origin
    #expect(try WebURL(text, at: origin) == WebURL(text))
  }

  @Test(
    "a URL is not taken for one of a known origin that only resembles its beginning, or needs a change",
    arguments: [
      "https://api.example.com:8443", "https://api.example.com:84431/", "https://api.example.com:8443@evil.example/",
      "https://api.example.com:8443.evil.example/", "https://api.example.com:8443\\@evil.example/",
      "HTTPS://api.example.com:8443/", "https://api.example.com:8443/#f", "https://api.example.com:8443/ä",
      "https://api.example.com:8443/\u{301}", "https://api.example.com:8443?q", "https://api.example.com:8443/a b",
      "https://api.example.com:8443/a\u{7F}", "https://api.example.com:8443/\\a", "https://api.example.com/", "/", "",
    ])
  func foreign(text: String) throws {
    #expect(WebURL(text, at: try WebURL("https://api.example.com:8443").origin) == nil)
  }

  @Test(
    "URLs that parsers are known to read differently are refused",
    arguments: [
      ("", "it is empty"),
      ("/v1/items", "it has no scheme (https://…)"),
      ("https:/api.example.com", "it has no scheme (https://…)"),
      ("ftp://api.example.com/", "its scheme is neither https nor http"),
      ("javascript://api.example.com/", "its scheme is neither https nor http"),
      ("https://", "it has no host"),
      ("https:///path", "it has no host"),
      ("https://:443/", "it has no host"),
      ("https://user@evil.example/", "it contains user information (…@)"),
      ("https://api.example.com@evil.example/", "it contains user information (…@)"),
      ("https://user:pass@evil.example/", "it contains user information (…@)"),
      ("https://@evil.example/", "it contains user information (…@)"),
      ("https://api.example.com\\@evil.example/", "it contains a backslash"),
      ("https://api.example.com/\\evil", "it contains a backslash"),
      ("https://api.example.com%2f@evil.example/", "it contains user information (…@)"),
      ("https://api.example.com%00.evil.example/", "its host is malformed"),
      ("https://api.example.com%2eevil.example/", "its host is malformed"),
      ("https://api.example.com;evil.example/", "its host is malformed"),
      ("https://api.example.com@\u{301}evil.example/", "it contains user information (…@)"),
      ("https://api.example.com:\u{301}443/", "its port is not a number from 1 to 65535"),
      ("https://.example.com/", "its host is malformed"),
      ("https://api..example.com/", "its host is malformed"),
      ("https://api.example.com:0/", "its port is not a number from 1 to 65535"),
      ("https://api.example.com:65536/", "its port is not a number from 1 to 65535"),
      ("https://api.example.com:+80/", "its port is not a number from 1 to 65535"),
      ("https://api.example.com:80:81/", "its port is not a number from 1 to 65535"),
      ("https://api.example.com:٤٤٣/", "its port is not a number from 1 to 65535"),
      ("https://[::1/", "its IPv6 address has no closing bracket"),
      ("https://[fe80::1%25eth0]/", "its IPv6 address is malformed (zones are not supported)"),
      ("https://[]/", "its IPv6 address is malformed (zones are not supported)"),
      ("https://[::1].evil.example/", "its port is not a number from 1 to 65535"),
    ])
  func refused(text: String, reason: String) {
    #expect(throws: WebURL.Invalid(description: reason)) { try WebURL(text) }
  }

  @Test(
    "white space and control characters are refused wherever they stand",
    arguments: [" ", "\t", "\r", "\n", "\r\n", "\0", "\u{7F}", "\u{85}"],
    ["https://a\(0)b/", "\(0)https://a/", "https://a/\(0)"])
  func controls(character: String, place: String) {
    let reason = "it contains white space or a control character (encode it, e.g. as %20)"
    #expect(throws: WebURL.Invalid(description: reason)) {
      try WebURL(place.replacing("0", with: character))
    }
  }

  @Test(
    "a reference is resolved (RFC 3986, section 5.4.1)",
    arguments: [
      ("g", "b/c/g"), ("./g", "b/c/g"), ("g/", "b/c/g/"), ("/g", "g"), ("?y", "b/c/d;p?y"), ("g?y", "b/c/g?y"),
      ("#s", "b/c/d;p?q"), ("g#s", "b/c/g"), ("g?y#s", "b/c/g?y"), (";x", "b/c/;x"), ("g;x", "b/c/g;x"),
      ("g;x?y#s", "b/c/g;x?y"), ("", "b/c/d;p?q"), (".", "b/c/"), ("./", "b/c/"), ("..", "b/"), ("../", "b/"),
      ("../g", "b/g"), ("../..", ""), ("../../", ""), ("../../g", "g"),
    ])
  func resolvedNormally(reference: String, expected: String) throws {
    let base = try WebURL("http://a/b/c/d;p?q")
    #expect(try base.resolving(reference).string == "http://a/" + expected)
  }

  @Test(
    "an unusual reference is resolved (RFC 3986, section 5.4.2)",
    arguments: [
      ("../../../g", "g"), ("../../../../g", "g"), ("/./g", "g"), ("/../g", "g"), ("g.", "b/c/g."),
      (".g", "b/c/.g"), ("g..", "b/c/g.."), ("..g", "b/c/..g"), ("./../g", "b/g"), ("./g/.", "b/c/g/"),
      ("g/./h", "b/c/g/h"), ("g/../h", "b/c/h"), ("g;x=1/./y", "b/c/g;x=1/y"), ("g;x=1/../y", "b/c/y"),
      ("g?y/./x", "b/c/g?y/./x"), ("g?y/../x", "b/c/g?y/../x"), ("g#s/../x", "b/c/g"),
    ])
  func resolvedUnusually(reference: String, expected: String) throws {
    let base = try WebURL("http://a/b/c/d;p?q")
    #expect(try base.resolving(reference).string == "http://a/" + expected)
  }

  @Test(
    "a reference to another host leads there, one without a host stays",
    arguments: [
      ("//g", "https://g/"), ("//BÜCHER.example", "https://xn--bcher-kva.example/"),
      ("//\u{FF47}", "https://g/"), ("//g:8443/x?y", "https://g:8443/x?y"), ("http://g/../h", "http://g/h"),
      ("?u=http://other/", "https://a/b?u=http://other/"),
      // As curl does it.
      ("/a b?c d e", "https://a/a%20b?c+d+e"), ("c d", "https://a/c%20d"),
    ])
  func elsewhere(reference: String, expected: String) throws {
    #expect(try WebURL("https://a/b").resolving(reference).string == expected)
  }

  @Test(
    "a reference that is not an http URL is refused",
    arguments: [
      ("g:h", "it has no scheme (https://…)"), ("http:g", "it has no scheme (https://…)"),
      ("javascript:alert(1)", "it has no scheme (https://…)"),
      ("file:///etc/passwd", "its scheme is neither https nor http"),
      ("///evil.example", "it has no host"), ("//evil example/", "its host is malformed"),
      (
        "//\u{301}evil.example",
        "its host has no ASCII form: string contains a forbidden leading combining character (use its xn-- form)"
      ),
      ("bücher:g", "it has no scheme (https://…)"), ("/\\evil.example", "it contains a backslash"),
      ("//user@evil.example", "it contains user information (…@)"),
    ])
  func unresolvable(reference: String, reason: String) throws {
    let base = try WebURL("https://a/b")
    #expect(throws: WebURL.Invalid(description: reason)) { try base.resolving(reference) }
  }

  @Test(
    "fields are appended to a query, form-encoded, and the query is kept (RFC 6749, section 3.1)",
    arguments: [
      ("https://a/b", "https://a/b?x=1+2&y=%26"), ("https://a/b?", "https://a/b?x=1+2&y=%26"),
      ("https://a/b?p=1", "https://a/b?p=1&x=1+2&y=%26"), ("https://a/b?p=1&", "https://a/b?p=1&x=1+2&y=%26"),
    ])
  func appending(base: String, expected: String) throws {
    #expect(try WebURL(base).appendingQuery([("x", "1 2"), ("y", "&")]).string == expected)
    #expect(try WebURL(base).appendingQuery([]) == WebURL(base))
  }

  @Test(
    "a path is appended with one slash between, without the query of the base",
    arguments: [
      ("https://a", "b", "https://a/b"), ("https://a/v1", "/b?c=d", "https://a/v1/b?c=d"),
      ("https://a/v1/?x=y", "b", "https://a/v1/b"), ("https://a/v1", "", "https://a/v1/"),
    ])
  func below(base: String, path: String, expected: String) throws {
    #expect(try WebURL(base).appending(path).string == expected)
    #expect(throws: WebURL.Invalid.self) { try WebURL(base).appending("a b") }
  }

  @Test("a description leaves out the query, which may hold secrets")
  func description() throws {
    #expect("\(try WebURL("https://a/b?code=c"))" == "https://a/b")
  }

  @Test(
    "what a person judges by is shown with its host in ASCII",
    arguments: [
      ("https://\u{430}pple.test", "https://xn--pple-43d.test"), ("https://apple.test", "https://apple.test"),
      ("https://\u{430}pple.test/x/", "https://xn--pple-43d.test/x/"),
      ("https://\u{430}pple.test/", "https://xn--pple-43d.test/"), ("no \u{430} URL", "no \u{430} URL"),
      ("a\u{1B}b", Escaped.text("a\u{1B}b")),
    ])
  func shown(text: String, expected: String) { #expect(WebURL.shown(text) == expected) }
}
