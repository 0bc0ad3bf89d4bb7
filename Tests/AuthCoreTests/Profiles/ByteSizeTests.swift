import Testing

@testable import AuthCore

@Suite("ByteSize")
struct ByteSizeTests {
  @Test(
    "sizes as people write them",
    arguments: [
      ("1", 1), ("500KB", 500_000), ("5MB", 5_000_000), ("5 MB", 5_000_000), ("1MiB", 1 << 20), ("2KiB", 2048),
      ("7B", 7), ("0", nil), ("MB", nil), ("-1", nil), ("1.5MB", nil), ("1GB", nil), ("5mb", nil), ("", nil),
      ("2000MB", nil), ("99999999999999999999", nil),
    ])
  func parse(text: String, bytes: Int?) {
    #expect(ByteSize.parse(text) == bytes)
  }
}
