import Testing

@testable import AuthCore

@Suite("HostName")
struct HostNameTests {
  @Test(
    "a name is brought to its one form (RFC 5891, UTS #46)",
    arguments: [
      ("API.Example.COM", "api.example.com"), ("example.com.", "example.com."), ("localhost.", "localhost."),
      ("my_host-1", "my_host-1"), ("bücher.example", "xn--bcher-kva.example"),
      ("BÜCHER.example", "xn--bcher-kva.example"), ("bu\u{308}cher.example", "xn--bcher-kva.example"),
      ("faß.example", "xn--fa-hia.example"), ("παράδειγμα.δοκιμή", "xn--hxajbheg2az3al.xn--jxalpdlp"),
      ("\u{FF41}pi\u{3002}example", "api.example"), ("exa\u{AD}mple.com", "example.com"),
      ("xn--BCHER-kva.example", "xn--bcher-kva.example"),
      // No name that a translation gives: it is compared and resolved as it is, and equals nothing else.
      ("xn--zzzzz.example", "xn--zzzzz.example"), ("xn--ls8h.example", "xn--ls8h.example"),
      ("\u{FF11}\u{FF12}\u{FF17}.1", "127.0.0.1"),
    ])
  func canonical(text: String, expected: String) throws {
    #expect(try HostName.canonical(text) == expected)
    #expect(try HostName.canonical(expected) == expected)
  }

  @Test(
    "a translated name is checked: it may have become more than a name",
    arguments: [
      "a\u{2100}b", "a\u{FF20}b", "a\u{FF0F}b", "a\u{FF1A}80", "a\u{FF03}", "a\u{3000}b", "\u{FF05}41", "\u{2474}.com",
      "a b", "a%2eb", "a*b", "a[b", ".a", "a..b", "\u{3002}a", "a\u{3002}\u{3002}b", "\u{AD}.com",
    ])
  func malformed(text: String) {
    #expect(throws: WebURL.Invalid(description: "its host is malformed")) { try HostName.canonical(text) }
  }

  @Test("a name has at most 253 characters, without a final dot (RFC 1035, section 2.3.4)")
  func longest() throws {
    let name = String(repeating: "abcdefghi.", count: 25) + "abc"
    #expect(try HostName.canonical(name) == name && HostName.canonical(name + ".") == name + ".")
    let reason = WebURL.Invalid(description: "its host is longer than 253 characters")
    #expect(throws: reason) { try HostName.canonical(name + "d") }
    #expect(throws: reason) { try HostName.canonical(name + "d.") }
  }

  @Test(
    "a name without an ASCII form is refused with the library's reason",
    arguments: [
      ("-ü.example", "string start/ends with forbidden hyphen"),
      ("\u{1F4A9}.example", "string contains a disallowed character"),
      ("\u{5D0}a.example", "string has forbidden bi-directional properties"),
      ("ab--ü.example", "string contains forbidden two hyphens pattern"),
      ("xn--a.ü", "domain label has character forbidden in non-transitional mode (TR46)"),
      ("ü@b", "A-label roundtrip failed"), ("ü b", "A-label roundtrip failed"),
      (String(repeating: "ü", count: 70), "punycode encoded data will be too large"),
    ])
  func untranslatable(text: String, reason: String) {
    let reason = "its host has no ASCII form: \(reason) (use its xn-- form)"
    #expect(throws: WebURL.Invalid(description: reason)) { try HostName.canonical(text) }
  }

  @Test("a host that is empty, also after its translation, is none", arguments: ["", "\u{AD}"])
  func empty(text: String) {
    #expect(throws: WebURL.Invalid(description: "it has no host")) { try HostName.canonical(text) }
  }
}
