import Foundation
import Testing

@testable import AuthCore

@Suite("KnownSecrets")
struct KnownSecretsTests {
  @Test("of many secrets the newest are known, also one that was added again")
  func many() {
    let known = KnownSecrets()
    known.add("secret-first")
    for number in 0..<1000 {
      known.add("secret-number-\(number)")
      known.add("secret-first")
    }
    #expect(known.redacting("secret-first secret-number-999 secret-number-950") == "‹redacted› ‹redacted› ‹redacted›")
    #expect(known.redacting("secret-number-1") == "secret-number-1")
  }

  @Test(
    "a known value is replaced in each of its forms",
    arguments: [
      "top secret/+é\"x", "top%20secret%2F%2B%C3%A9%22x", "top%20secret%2f%2b%c3%a9%22x", "top+secret%2F%2B%C3%A9%22x",
      "top+secret%2f%2b%c3%a9%22x", #"top secret/+é\"x"#, #"top secret\/+é\"x"#,
    ])
  func forms(form: String) {
    let known = KnownSecrets()
    known.add("top secret/+é\"x")
    #expect(known.redacting("a\(form)b \(form)") == "a‹redacted›b ‹redacted›")
  }

  @Test(
    "a known value is replaced in each encoding",
    arguments: [
      #"\u0074op\u0020secret\/\u002b\u00e9\"x"#, #"top secret\\\/+é\\\"x"#, #"\x74op\x20secret/+é\"x"#,
      "%74%6F%70+%73ecret%2f%2B%c3%a9%22x", "top%2520secret%252F%252B%25C3%25A9%2522x",
      "top%252520secret/%2B%C3%A9%22x",
      "top secret&#47;+&eacute;\"x".replacing("&eacute;", with: "&#xE9;"), "&#116;op&#x20;secret&sol;&plus;é&quot;x",
      "top\n secret/+é\"x", "746f70207365637265742f2bc3a92278", "746F70207365637265742F2BC3A92278",
      #"top%20secret\u002F%2B%C3%A9&quot;x"#,
    ])
  func encodings(form: String) {
    let known = KnownSecrets()
    known.add("top secret/+é\"x")
    #expect(known.redacting("a \(form) b,\(form)") == "a ‹redacted› b,‹redacted›")
  }

  @Test("a known value is replaced in the Base64 of a text, in each position, alphabet and notation")
  func base64() throws {
    let secret = "tøp?secret>>>token"
    let known = KnownSecrets()
    known.add(secret)
    for lead in ["", "a", "ab", "abc", "{\"a\":\""] {
      for end in ["", "x", "xy", "xyz"] {
        let text = Data((lead + secret + end).utf8).base64EncodedString()
        let url = text.replacing("+", with: "-").replacing("/", with: "_")
        let wrapped = text.prefix(10) + "\r\n" + text.dropFirst(10)
        let forms = [
          text, url, url.replacing("=", with: ""), String(wrapped), text.replacing("/", with: "\\/"),
          FormEncoding.encode(text), text.replacing("+", with: " "),
        ]
        for form in forms {
          let shown = known.redacting("<\(form)>")
          #expect(shown.contains("‹redacted›") && shown.count < 34, "\(lead) \(end): \(shown)")
          // It begins with the group of four characters that has the first bit of the secret.
          let rest = shown.dropFirst().dropLast().split(separator: "‹redacted›", omittingEmptySubsequences: false)
          let before = lead.utf8.count / 3 * 4
          #expect(rest.first?.count == before, "\(lead) \(end): \(shown)")
        }
      }
    }
  }

  @Test("a character of two halves in JSON is the same as in UTF-8")
  func surrogates() {
    let known = KnownSecrets()
    known.add("pass🔑word")
    #expect(known.redacting(#""pass\ud83d\uDD11word""#) == #""‹redacted›""#)
  }

  @Test("what is no secret stays as it is, also if it has escapes; a short secret is a word on its line")
  func plain() {
    let known = KnownSecrets()
    known.add("topsecret")
    let text = "100% \\u00e9 a\\nb &amp; c+d\ntop\\secret"
    #expect(known.redacting(text + " topsecret") == text + " ‹redacted›")
    let short = KnownSecrets(inServerText: ["1234"])
    // A line break that is left out stands between two words.
    #expect(short.redacting(#"PIN\n1234"#) == #"PIN\n‹redacted›"#)
    #expect(short.redacting("PIN 1234\nx y%201234%20z 12345") == "PIN ‹redacted›\nx y%20‹redacted›%20z 12345")
  }

  @Test("a part of a long secret that begins like it is replaced, too")
  func long() {
    let known = KnownSecrets()
    let secret = String(repeating: "abcdefgh", count: 100)
    known.add(secret)
    #expect(
      known.redacting("a \(secret) \(secret.prefix(300))! \(secret.prefix(200))")
        == "a ‹redacted› ‹redacted›! \(secret.prefix(200))")
    #expect(known.redacting("a \(secret.prefix(200))", isCut: true) == "a ‹redacted›")
    #expect(known.redacting("a \(secret.prefix(200))%6", isCut: true) == "a ‹redacted›")
  }

  @Test("a combining mark behind a secret does not hide it")
  func combiningMark() {
    let known = KnownSecrets()
    known.add("topsecret")
    #expect(known.redacting("topsecret\u{301}") == "‹redacted›\u{301}")
  }

  @Test("of two values with a common prefix the longer one is replaced; a value that is too short is not")
  func lengths() {
    let known = KnownSecrets()
    for value in ["topsecret", "topsecret-and-more", "short"] { known.add(value) }
    #expect(known.redacting("topsecret-and-more, topsecret, short") == "‹redacted›, ‹redacted›, short")
    let all = KnownSecrets(shortest: 1)
    for value in ["short", ""] { all.add(value) }
    #expect(all.redacting("short, other") == "‹redacted›, other")
  }

  @Test("in a server's text a short value is replaced where it is a whole word")
  func words() {
    let known = KnownSecrets(inServerText: ["test", "ab", "topsecret"])
    #expect(
      known.redacting("test, \"test\", test1 latest tést testé ab a.test topsecret1")
        == "‹redacted›, \"‹redacted›\", test1 latest tést testé ab a.‹redacted› ‹redacted›1")
  }

  @Test("of many values the newest are known, and what is used again is new")
  func newest() {
    let known = KnownSecrets()
    known.add("topsecret")
    for number in 1000..<1255 { known.add("value-\(number)") }
    known.add("topsecret")
    #expect(known.redacting("value-1000") == "‹redacted›")
    known.add("value-1255")
    #expect(known.redacting("topsecret value-1128 value-1129") == "‹redacted› value-1128 ‹redacted›")
  }
}
