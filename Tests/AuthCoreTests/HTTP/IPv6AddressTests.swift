import Testing

@testable import AuthCore

@Suite("IPv6Address")
struct IPv6AddressTests {
  @Test(
    "every spelling of an address is brought to one (RFC 5952)",
    arguments: [
      ("::1", "::1"), ("0:0:0:0:0:0:0:1", "::1"), ("0000::0001", "::1"), ("::", "::"), ("1::", "1::"),
      ("2001:DB8::A", "2001:db8::a"), ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
      ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"), ("1:2:3:4:5:6:0:8", "1:2:3:4:5:6:0:8"),
      ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
      ("::ffff:7f00:1", "::ffff:127.0.0.1"), ("::FFFF:127.0.0.1", "::ffff:127.0.0.1"),
      ("::1.2.3.4", "::102:304"), ("64:ff9b::1.2.3.4", "64:ff9b::102:304"),
      ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
    ])
  func canonical(text: String, expected: String) throws {
    let address = try #require(IPv6Address(text))
    #expect(address.description == expected)
    #expect(IPv6Address(expected) == address)
  }

  @Test(
    "a value that is not an address is refused",
    arguments: [
      "", ":", ":::", "1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "::1::", "1:2:3:4:5:6:7:8::", "12345::",
      "g::", "::1%eth0", "::1%25eth0", "1.2.3.4", "1.2.3.4::", "::1.2.3", "::1.2.3.256", "::01.2.3.4", "::1.2.3.4:5",
      "::+1.2.3.4", "::0x1.2.3.4", "1:2:3:4:5:6:7:1.2.3.4", ":1", "1:", "::\u{FF11}", "+1::", "::1 ", "v1.a",
    ])
  func refused(text: String) {
    #expect(IPv6Address(text) == nil)
  }
}
