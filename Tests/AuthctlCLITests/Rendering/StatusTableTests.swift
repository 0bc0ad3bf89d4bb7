import Testing

@testable import AuthctlCLI

@Suite("StatusTable") struct StatusTableTests {
  private static let rows: [StatusTable.Row] = {
    var valid = StatusTable.Row(profile: "work", state: ("valid", "32"))
    (valid.user, valid.access, valid.left, valid.refresh) = ("alice", "7m 3s", 0.7, "automatic")
    valid.api = "https://api.example.com/v1"
    var ending = StatusTable.Row(profile: "ci", state: ("valid", "32"))
    (ending.access, ending.left, ending.refresh) = ("1m", 0.01, "none")
    ending.remark = "ends in 1m: authctl login ci"
    return [ending, StatusTable.Row(profile: "out", state: ("logged out", "31")), valid]
  }()

  private func text(_ width: Int, colour: Bool = false, hasUnicode: Bool = true) -> String {
    StatusTable(rows: Self.rows, width: width, colour: colour, hasUnicode: hasUnicode).text
  }

  @Test("one line for each session, a bar of the time left, and the remarks below")
  func whole() {
    #expect(
      text(100) == """
        PROFILE  STATE       USER   ACCESS          REFRESH    API
        ci       valid       –      █░░░░░░░ 1m     none       –
        out      logged out  –      –               –          –
        work     valid       alice  ██████░░ 7m 3s  automatic  https://api.example.com/v1
        ci: ends in 1m: authctl login ci

        """)
  }

  @Test("ASCII where the locale is not UTF-8")
  func ascii() {
    let text = text(100, hasUnicode: false)
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
    #expect(text.contains("######.. 7m 3s"))
  }

  @Test("a narrow terminal: the bars go, then the columns with the longest texts are cut", arguments: 30...100)
  func narrow(width: Int) {
    for hasUnicode in [true, false] {
      let lines = text(width, hasUnicode: hasUnicode).split(separator: "\n").dropLast()
      let least = 60
      #expect(lines.allSatisfy { $0.count <= max(width, least) }, "\(lines)")
      #expect(lines.count == 4)
    }
    #expect(text(70).contains("█") == false)
    #expect(text(70).contains("…"))
  }

  @Test("states and validity have the colour of the state")
  func colour() {
    #expect(text(100, colour: true).contains("\u{1B}[32mvalid\u{1B}[0m"))
    #expect(text(100, colour: true).contains("\u{1B}[31mlogged out\u{1B}[0m"))
    #expect(text(100, colour: true).contains("\u{1B}[33mci: ends in 1m: authctl login ci\u{1B}[0m\n"))
  }
}
