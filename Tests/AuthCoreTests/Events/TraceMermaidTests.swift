import Foundation
import TestSupport
import Testing

@testable import AuthCore

/// Checks each line by the part of Mermaid's grammar that the diagrams use.
@Suite("Mermaid diagrams of a flow") struct TraceMermaidTests {
  /// An identifier of a lane.
  private static var name: Regex<Substring> { /program|background|storage|browser|server[0-9]+|api[0-9]+|others/ }
  /// Text without any character that has a meaning in Mermaid, Markdown or HTML: `#59;` is a character's code.
  private static var text: Regex<Substring> { /(?:[A-Za-z0-9 .,\/_()'?!=+-]|: |[^\u{0}-\u{9F}]|#[0-9]+;)*/ }

  private func check(_ diagram: String) {
    var lines = diagram.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.removeFirst() == "sequenceDiagram")
    #expect(lines.removeLast() == "")
    var names: Set<Substring> = []
    for line in lines {
      if let lane = line.wholeMatch(of: #/    participant (\w+) as (.+?)(?:<br\/>(.+))?/#) {
        #expect(lane.1.wholeMatch(of: Self.name) != nil && names.insert(lane.1).inserted, "\(line)")
        #expect(lane.2.wholeMatch(of: Self.text) != nil && (lane.3 ?? "").wholeMatch(of: Self.text) != nil, "\(line)")
      } else if let note = line.wholeMatch(of: #/    Note over (\w+): (.*)/#) {
        #expect(names.contains(note.1) && note.2.wholeMatch(of: Self.text) != nil, "\(line)")
      } else if let arrow = line.wholeMatch(of: #/    (\w+?)(?:->>|-->>|--x)(\w+): (.*)/#) {
        #expect(names.isSuperset(of: [arrow.1, arrow.2]) && arrow.3.wholeMatch(of: Self.text) != nil, "\(line)")
      } else {
        Issue.record("a line of another form: \(line)")
      }
    }
  }

  @Test("each line is a participant, a note or an arrow, with clean text", arguments: TraceSample.all)
  func grammar(sample: TraceSample) {
    let diagram = TraceSequence(sample.entries, program: "authctl").mermaid()
    check(diagram)
    #expect(!diagram.contains("%%") && !diagram.contains("`") && !diagram.contains("$$"))
  }

  @Test("a name of the program with a meaning in Mermaid is written in codes")
  func program() {
    let diagram = TraceSequence(TraceSample.valid.entries, program: "x;y\nend").mermaid()
    check(diagram)
    #expect(diagram.contains("participant program as x#59;y#92;u#123;a#125;end\n"))
  }

  @Test("a line never has a colon before a code without a space between: Mermaid would cut the code")
  func style() {
    for line in TraceSequence(TraceSample.hostile.entries, program: "style:#").mermaid().split(separator: "\n") {
      #expect(line.firstMatch(of: /:\S*#.*;/) == nil, "\(line)")
    }
  }

  @Test("a long flow is cut below the limit of GitHub, with the number of the steps that are missing")
  func long() throws {
    let entries = (1...2000).map { number in
      TraceEntry(
        number: number, time: .sample, offset: Double(number), process: 1, isInBackground: false,
        step: .note("step \(number) of two thousand"))
    }
    let diagram = TraceSequence(entries, program: "authctl").mermaid()
    check(diagram)
    #expect(diagram.unicodeScalars.count < 50_000 && diagram.unicodeScalars.count > 40_000)
    let last = try #require(diagram.firstMatch(of: /Note over program: ([0-9]+) more steps are not shown\n$/))
    let missing = try #require(Int(last.1))
    #expect(diagram.matches(of: /of two thousand/).count + missing == 2000)
  }

  @Test("a long text is cut")
  func longText() {
    let entry = TraceEntry(
      number: 1, time: .sample, offset: 0, process: 1, isInBackground: false,
      step: .note(String(repeating: "x", count: 290)))
    #expect(
      TraceSequence([entry], program: "authctl").mermaid().contains(" · \(String(repeating: "x", count: 160))…\n"))
  }
}
