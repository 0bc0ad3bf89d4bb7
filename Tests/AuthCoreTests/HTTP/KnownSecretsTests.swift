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
    for number in 1000..<1127 { known.add("value-\(number)") }
    known.add("topsecret")
    known.add("value-1127")
    #expect(known.redacting("topsecret value-1000 value-1001") == "‹redacted› value-1000 ‹redacted›")
  }
}
