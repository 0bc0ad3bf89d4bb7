import Testing

@testable import AuthctlCLI

@Suite("WaitingLine") struct WaitingLineTests {
  @Test(
    "the time left is written as a clock shows it",
    arguments: [(0, "0:00"), (9, "0:09"), (60, "1:00"), (292, "4:52"), (3599, "59:59"), (3892, "1:04:52")])
  func clock(seconds: Int, text: String) {
    #expect(WaitingLine.clockText(seconds) == text)
  }
}
