import TestSupport
import Testing

@testable import AuthCore
@testable import AuthctlCLI

@Suite("TraceDiagram") struct TraceDiagramTests {
  private func note(_ text: String) -> [TraceEntry] {
    [TraceEntry(number: 1, time: .sample, offset: 0, process: 1, isInBackground: false, step: .note(text))]
  }

  @Test("no line is wider than the terminal, and none is wrapped", arguments: [30, 40, 41, 57, 80, 81, 200])
  func width(width: Int) {
    for sample in TraceSample.all {
      let count = TraceSequence(sample.entries, program: "authctl").steps.count
      for isASCII in [true, false] {
        let text = TraceDiagram.text(sample.entries, program: .standard, width: width, isASCII: isASCII)
        let lines = text.split(separator: "\n")
        for line in lines { #expect(TextRow.columns(String(line)) <= max(40, width), "\(line)") }
        #expect((count...count * 9 + 2).contains(lines.count), "\(sample)")
      }
    }
  }

  @Test(
    "a long text is wrapped, not cut; a mark stays in its lane, and a token in one piece", arguments: [50, 80, 120])
  func wrapped(width: Int) throws {
    let words = (0..<12).map { "word\($0)" }.joined(separator: " ") + " ‹access d00ab342› end"
    let entries = [
      TraceEntry(
        number: 1, time: .sample, offset: 0, process: 1, isInBackground: false, step: .event(.cleared)),
      TraceEntry(number: 2, time: .sample, offset: 1, process: 1, isInBackground: false, step: .note(words)),
      TraceEntry(number: 3, time: .sample, offset: 2, process: 1, isInBackground: true, step: .note(words)),
    ]
    let lines = TraceDiagram.text(entries, program: .standard, width: width).split(separator: "\n").map(Array.init)
    let lanes = Set(lines.flatMap { line in line.indices.filter { line[$0] == "│" } })
    #expect(lanes.count == 3, "\(lanes)")
    let marks = lines.flatMap { line in line.indices.filter { line[$0] == "●" } }
    #expect(marks == Array(lanes.sorted().prefix(2)))
    for mark in marks {
      let first = try #require(lines.firstIndex { $0.count > mark && $0[mark] == "●" })
      var text = ""
      for line in lines[first...] where !text.hasSuffix(" end") {
        // Lanes at the right of a short line are no part of the text.
        text += (text.isEmpty ? "" : " ") + String(line.dropFirst(mark + 2)).replacing(#/\ *│.*/#, with: "")
      }
      #expect(text == words)
    }
  }

  @Test("a text that would fill the screen is cut after eight lines")
  func endless() {
    let entries = note(String(repeating: "日本語 ", count: 75))
    let text = TraceDiagram.text(entries, program: .standard, width: 40, isASCII: true)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 1 + 8 && lines.last?.hasSuffix("...") == true, "\(text)")
  }

  @Test("ASCII where the locale is not UTF-8", arguments: TraceSample.all)
  func ascii(sample: TraceSample) {
    let text = TraceDiagram.text(sample.entries, program: .standard, width: 70, isASCII: true)
    #expect(text.utf8.allSatisfy { ($0 >= 0x20 && $0 < 0x7F) || $0 == 0x0A }, "\(text)")
  }

  @Test("without colours there is no control character but the line's end", arguments: TraceSample.all)
  func plain(sample: TraceSample) {
    let text = TraceDiagram.text(sample.entries, program: .standard)
    #expect(!text.unicodeScalars.contains { $0.drivesTerminal && $0 != "\n" })
  }

  @Test("colours change nothing else")
  func colours() {
    for sample in TraceSample.all {
      let coloured = TraceDiagram.text(sample.entries, program: .standard, isColoured: true)
      #expect(
        coloured.replacing(/\u{1B}\[[0-9;]+m/, with: "") == TraceDiagram.text(sample.entries, program: .standard))
    }
  }

  @Test("a token has the same colour everywhere, and others have others")
  func tokens() throws {
    let text = TraceDiagram.text(TraceSample.refused.entries, program: .standard, isColoured: true)
    let tints = text.matches(of: /\u{1B}\[([0-9;]+)m‹(d00ab342|5da77486)›/).map { (String($0.2), String($0.1)) }
    #expect(tints.count >= 5)
    #expect(Dictionary(grouping: tints, by: \.0).values.allSatisfy { Set($0.map(\.1)).count == 1 })
    #expect(Set(tints.map(\.1)).count == 2)
    #expect(text.contains("\u{1B}[36m"))
    #expect(text.contains("\u{1B}[33m"))
  }

  @Test("no two of the first twelve tokens have the same colour, and no two of 24 on the page")
  func distinct() {
    let tokens = (0..<24).map { "0000" + String(0x1000 + $0 * 24, radix: 16) }
    let entries = tokens.flatMap { note("‹\($0)›") }
    let text = TraceDiagram.text(entries, program: .standard, isColoured: true)
    let tints = text.matches(of: /\u{1B}\[(1;38;5;[0-9]+)m‹/).map { String($0.1) }
    #expect(Set(tints).count == 12 && tints.count == 12)
    let page = TracePage.html(entries, title: "t", program: .standard)
    let hues = page.matches(of: /\.k-[0-9a-f]{8}\{--hue:([0-9]+)/).map { String($0.1) }
    #expect(Set(hues).count == 24 && hues.count == 24)
  }

  @Test("wide and combining characters count as a terminal draws them")
  func wide() {
    #expect(TextRow.columns("日本") == 4)
    #expect(TextRow.columns("e\u{301}") == 1)
    let text = TraceDiagram.text(note(String(repeating: "日本語", count: 30)), program: .standard, width: 40)
    #expect(text.split(separator: "\n").allSatisfy { TextRow.columns(String($0)) <= 40 })
    #expect(text.contains("日本語"))
    let ascii = TraceDiagram.text(note("日"), program: .standard, width: 40, isASCII: true)
    #expect(ascii.contains("\\u{65e5}") && ascii.utf8.allSatisfy { $0 < 0x7F })
  }

  @Test("the name of the program is that of its file, and a flow without a step is empty")
  func names() {
    #expect(TraceDiagram.text(note("x"), program: ProgramName(calledBy: "/usr/bin/authc")).contains("authc\n"))
    #expect(TraceDiagram.text([], program: .standard).isEmpty)
  }

  @Test("a text that does not fit into its arrow is above it, and an arrow that has no response ends in a cross")
  func arrows() {
    let text = TraceDiagram.text(TraceSample.failing.entries, program: .standard, width: 100)
    #expect(text.contains("✗"))
    #expect(text.contains("►") && text.contains("◄") && text.contains("╌"))
    let ascii = TraceDiagram.text(TraceSample.failing.entries, program: .standard, width: 100, isASCII: true)
    #expect(ascii.contains("x...") && ascii.contains("->") && ascii.contains("<"))
  }
}
