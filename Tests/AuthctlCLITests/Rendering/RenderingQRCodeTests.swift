import Testing

@testable import AuthctlCLI

@Suite("QRCode")
struct RenderingQRCodeTests {
  @Test("two rows of modules make a line, light ones drawn, with a quiet zone of four on each side")
  func drawing() throws {
    let code = try #require(QRCode(isDark: [true, true, false, true, false, false, true, false, false], width: 3))
    #expect(code.drawingWidth == 11)
    #expect(
      code.drawing(colour: false) == """
        ███████████
        ███████████
        ████ ▄█████
        ████▄██████
        ███████████
        ███████████
        """)
  }

  @Test("with colours each line states white on black, and takes it back")
  func colour() throws {
    let code = try #require(QRCode(isDark: [true], width: 1))
    let lines = code.drawing(colour: true).split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines.allSatisfy { $0.hasPrefix("\u{1B}[97;40m") && $0.hasSuffix("\u{1B}[0m") })
  }

  @Test("a matrix that is not square is not a code", arguments: [(0, 0), (3, 2), (5, 2)])
  func noSquare(count: Int, width: Int) {
    #expect(QRCode(isDark: Array(repeating: true, count: count), width: width) == nil)
  }
}
