import Testing

@testable import AuthCore

@Suite("Base64URL")
struct Base64URLTests {
  @Test("bytes are encoded without padding and with the alphabet of RFC 4648, section 5")
  func encoded() {
    // RFC 7515, appendix C.
    #expect(Base64URL.encode([3, 236, 255, 224, 193]) == "A-z_4ME")
    #expect(Base64URL.encode([]) == "")
  }

  @Test(
    "text is decoded",
    arguments: [
      ("A-z_4ME", [3, 236, 255, 224, 193]), ("", []), ("Zg", [0x66]), ("Zm8", [0x66, 0x6F]),
      ("Zm9v", [0x66, 0x6F, 0x6F]),
    ] as [(String, [UInt8])])
  func decoded(text: String, expected: [UInt8]) {
    #expect(Base64URL.decode(text) == expected)
  }

  @Test(
    "text outside the alphabet, padded, or of an impossible length is refused",
    arguments: ["A+z/4ME", "Zg==", "Z", "Zm9vZ", "Zm 9v", "Zm9v\n", "Zmä"])
  func refused(text: String) {
    #expect(Base64URL.decode(text) == nil)
  }
}
