import Testing

@testable import AuthCore

@Suite("IPv4Address")
struct IPv4AddressTests {
  private static let malformed = "its IPv4 address is malformed (use four numbers from 0 to 255)"
  private static let octal =
    "its IPv4 address has a number that begins with 0, which is octal to some and decimal to others"

  @Test(
    "every form that all parsers read alike is brought to four decimal numbers (RFC 3986, section 7.4)",
    arguments: [
      ("127.0.0.1", "127.0.0.1"), ("127.1", "127.0.0.1"), ("127.0.1", "127.0.0.1"), ("1.2.3", "1.2.0.3"),
      ("1.65535", "1.0.255.255"), ("1.2.65535", "1.2.255.255"), ("1.16777215", "1.255.255.255"),
      ("2130706433", "127.0.0.1"), ("4294967295", "255.255.255.255"), ("0", "0.0.0.0"), ("0.0.0.0", "0.0.0.0"),
      ("0x7f.1", "127.0.0.1"), ("0x7f000001", "127.0.0.1"), ("0x7F.0X0.0.0x1", "127.0.0.1"),
      ("255.255.255.255", "255.255.255.255"),
    ])
  func canonical(text: String, expected: String) throws {
    #expect(try WebURL("https://\(text)/").origin.host == expected)
  }

  @Test(
    "a value that is not an address, or is ambiguous, is refused",
    arguments: [
      ("256.0.0.1", malformed), ("1.2.3.256", malformed), ("1.2.65536", malformed), ("1.16777216", malformed),
      ("4294967296", malformed), ("99999999999999999999999", malformed), ("1.2.3.4.5", malformed),
      ("a.1", malformed), ("1.a.2", malformed), ("0x", malformed), ("1.0x", malformed), ("0x100000000", malformed),
      ("-1.2", malformed), ("1.2.3.4.", malformed), ("127.1.", malformed), ("foo.0x1f", malformed),
      ("0177.0.0.1", octal), ("127.0.0.08", octal), ("00.0.0.1", octal), ("017700000001", octal),
    ])
  func refused(text: String, reason: String) {
    #expect(throws: WebURL.Invalid(description: reason)) { try WebURL("https://\(text)/") }
  }

  @Test(
    "a name is not an address",
    arguments: ["1.example", "0x1.example", "0xg", "a1", "1a", "127.0.0.1.example", "1.2.3.x"])
  func names(text: String) throws {
    #expect(try WebURL("https://\(text)/").origin.host == text)
  }
}
