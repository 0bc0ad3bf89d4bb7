import Foundation
import TestSupport
import Testing

@Suite("the QR code of a login on another device, on a real terminal")
struct QRCodeTests {
  /// What a terminal shows of a device login.
  private func screen(_ environment: [String: String?] = [:], members: String = "{}", _ more: [String] = []) throws
    -> (text: String, place: Workplace)
  {
    let place = try Workplace()
    try place.lab.change(#"{"device_members":"\#(members)"}"#)
    let terminal = try PseudoTerminal()
    let run = try place.start(place.deviceLogin(more), input: .terminal(terminal), environment: environment)
    // The first poll comes after all that is drawn.
    let shown = try terminal.read(until: "?user_code=")
    try Waiting.until("a poll") { try place.lab.count("token.device_code") > 0 }
    try place.lab.decideDevices(#"{"decision":"allow"}"#)
    let rest = try terminal.read(until: "logged in")
    #expect(try run.wait().status == 0)
    return (shown + rest, place)
  }

  /// The modules of the drawn code, dark ones true, with the quiet zone.
  private func modules(_ screen: String) throws -> [[Bool]] {
    let lines = screen.components(separatedBy: "\r\n").filter { $0.hasPrefix("\u{1B}[97;40m") }
    var rows: [[Bool]] = []
    for line in lines {
      let drawn = line.replacing("\u{1B}[97;40m", with: "").replacing("\u{1B}[0m", with: "")
      rows.append(drawn.map { "▄ ".contains($0) })
      rows.append(drawn.map { "▀ ".contains($0) })
    }
    return rows
  }

  @Test("the QR code is whole: square but for a half line, finder patterns in three corners, a quiet zone of four")
  func drawn() throws {
    let rows = try modules(try screen().text)
    let width = try #require(rows.first?.count)
    #expect((width - 8 - 17) % 4 == 0 && width >= 29, "\(width)")
    #expect(rows.allSatisfy { $0.count == width })
    #expect(rows.count == width + 1)
    let quiet = rows.prefix(4) + rows.suffix(4)
    #expect(quiet.allSatisfy { !$0.contains(true) })
    #expect(rows.allSatisfy { !($0.prefix(4) + $0.suffix(4)).contains(true) })
    let finder = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"]
    for (top, left) in [(4, 4), (4, width - 11), (width - 11, 4)] {
      let found = (0..<7).map { row in String((0..<7).map { rows[top + row][left + $0] ? "#" : "." }) }
      #expect(found == finder, "\(top), \(left)")
    }
  }

  @Test(
    "none is drawn where it would be broken: on a narrow terminal, in another character set, on a dumb terminal",
    arguments: [
      (["COLUMNS": "60"], String(repeating: "x", count: 300)), (["LANG": "C"], ""),
      (["LANG": "de_DE.UTF-8", "LC_ALL": "C"], ""),
      (["LANG": nil], ""), (["TERM": "dumb"], ""),
    ] as [([String: String?], String)])
  func notDrawn(environment: [String: String?], path: String) throws {
    let members =
      path.isEmpty
      ? "{}" : #"{\"verification_uri_complete\":\"https://id.example/?user_code=\#(path)\"}"#
    let text = try screen(environment, members: members).text
    #expect(!text.contains("▀") && !text.contains("█"), "\(text)")
    #expect(text.contains("enter this code"))
  }

  @Test("without colours it is drawn in those of the terminal")
  func colourless() throws {
    let text = try screen(["NO_COLOR": "1"]).text
    #expect(text.contains("█▀") || text.contains("▀█"))
    #expect(!text.contains("\u{1B}["))
  }
}
