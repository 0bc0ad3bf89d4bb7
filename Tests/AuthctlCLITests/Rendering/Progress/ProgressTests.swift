import AuthCore
import Testing

@testable import AuthctlCLI

@Suite("Progress") struct ProgressTests {
  @Test(
    "sizes take five columns",
    arguments: [
      (0, "    0"), (99_999, "99999"), (100_000, "  97k"), (5_000_000, "4882k"), (10_239_999, "9999k"),
      (10_240_000, " 9.7M"), (104_857_599, "99.9M"), (104_857_600, " 100M"), (10_485_759_999, "9999M"),
      (10_485_760_000, " 9.7G"), (107_374_182_399, "99.9G"), (107_374_182_400, " 100G"),
      (10_995_116_277_760, "  10T"), (Int64.max, "8191P"),
    ] as [(Int64, String)])
  func sizes(bytes: Int64, text: String) {
    #expect(ProgressTable.size(bytes) == text)
  }

  @Test(
    "times take eight columns",
    arguments: [
      (0, "--:--:--"), (-5, "--:--:--"), (1, " 0:00:01"), (3661, " 1:01:01"), (359_999, "99:59:59"),
      (360_000, "  4d 04h"), (86_400_000, "   1000d"),
    ] as [(Int64, String)])
  func times(seconds: Int64, text: String) {
    #expect(ProgressTable.time(seconds) == text)
  }

  @Test("a download's line has curl's columns, and the current speed is that of the last five seconds")
  func download() {
    var table = ProgressTable()
    #expect(
      table.line(TransferProgress(received: 250_000, toReceive: 1_000_000), elapsed: 1)
        == " 25  976k   25  244k    0     0   244k      0  0:00:04  0:00:01  0:00:03  244k")
    for second in 2...6 {
      _ = table.line(TransferProgress(received: 250_000, toReceive: 1_000_000), elapsed: Double(second))
    }
    let line = table.line(TransferProgress(received: 300_000, toReceive: 1_000_000), elapsed: 7)
    #expect(line == " 30  976k   30  292k    0     0  42857      0  0:00:23  0:00:07  0:00:16 10000")
    #expect(line.count <= ProgressTable.width)
  }

  @Test("an upload's line, and one of which the length is not known")
  func upload() {
    var table = ProgressTable()
    #expect(
      table.line(TransferProgress(sent: 500, toSend: 1000), elapsed: 1)
        == " 50  1000    0     0   50   500      0    500  0:00:02  0:00:01  0:00:01   500")
    table = ProgressTable()
    #expect(
      table.line(TransferProgress(received: 500), elapsed: 1)
        == "100   500    0   500    0     0    500      0 --:--:--  0:00:01 --:--:--   500")
  }

  @Test("the bar is as wide as the terminal")
  func bar() {
    var bar = ProgressBar(columns: 30)
    #expect(bar.line(TransferProgress(received: 0, toReceive: 8)) == String(repeating: " ", count: 23) + "   0.0%")
    #expect(
      bar.line(TransferProgress(received: 4, toReceive: 8))
        == String(repeating: "#", count: 11) + String(repeating: " ", count: 12) + "  50.0%")
    #expect(bar.line(TransferProgress(received: 9, toReceive: 8)) == String(repeating: "#", count: 23) + " 100.0%")
    #expect(bar.line(TransferProgress(received: 1, toReceive: 2, sent: 2, toSend: 2)).hasSuffix("  75.0%"))
  }

  @Test("a transfer of unknown length shows a moving mark and stays on the line")
  func flight() {
    var bar = ProgressBar(columns: 30)
    let lines = (0..<200).map { bar.line(TransferProgress(received: Int64($0))) }
    #expect(lines.allSatisfy { $0.count == 29 && $0.contains("-=O=-") })
    #expect(lines[0].hasPrefix("-=O=-") && lines[12].hasSuffix("-=O=-") && lines[24] == lines[0])
  }
}
