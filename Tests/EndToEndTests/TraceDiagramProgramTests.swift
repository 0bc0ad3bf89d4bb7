import AuthCore
import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

/// The diagrams of `--trace`, as the programs show them that they are made for.
@Suite("the diagrams of a flow in Mermaid and in a terminal, end to end") struct TraceDiagramProgramTests {
  // MARK: - Mermaid

  /// What Mermaid draws.
  private struct Drawing: Decodable {
    struct Step: Decodable, Equatable {
      let from, to, text: String
    }

    let actors: [String]
    let steps: [Step]
    let width, height: Double
  }

  @Test("Mermaid reads each diagram and draws its lanes, arrows and texts, also those of a hostile server")
  func mermaid() throws {
    let folder = try TemporaryDirectory()
    let files = try TraceSample.all.map { sample in
      let file = folder.url.appending(path: sample.name + ".mmd")
      try Data(TraceSequence(sample.entries, program: "authctl").mermaid().utf8).write(to: file)
      return file.path
    }
    let images = ProcessInfo.processInfo.environment["AUTHCTL_SCREENSHOTS"].map { ["--images", $0] } ?? []
    let outcome = try PythonServer.run("check_mermaid.py", images + files).wait(seconds: 120)
    outcome.expect(0)
    let drawings = try JSONDecoder().decode([Drawing].self, from: outcome.output)
    #expect(drawings.count == TraceSample.all.count)
    for (sample, drawing) in zip(TraceSample.all, drawings) {
      let sequence = TraceSequence(sample.entries, program: "authctl")
      #expect(drawing.actors == sequence.lanes.map { $0.name + ($0.host.isEmpty ? "" : "<br/>" + $0.host) })
      let texts = sequence.steps.map { step in
        let text = step.text.unicodeScalars.count > 160 ? String(step.text.unicodeScalars.prefix(160)) + "…" : step.text
        return "\(TraceSequence.milliseconds(step.time)) · \(text)"
      }
      #expect(drawing.steps.map(\.text) == texts, "\(sample)")
      #expect(drawing.width > 100 && drawing.height > 50)
    }
    withExtendedLifetime(folder) {}
  }

  // MARK: - Terminal

  /// What a terminal shows.
  private struct Screen: Decodable {
    let lines: [String]
    let wrapped: Int
    let colours: Int
    let columns: [String: [Int]]
  }

  private func screen(_ text: String, columns: Int) throws -> Screen {
    let outcome = try PythonServer.run("check_terminal.py", ["\(columns)"], input: .text(text)).wait()
    outcome.expect(0)
    return try JSONDecoder().decode(Screen.self, from: outcome.output)
  }

  @Test("a terminal shows each diagram as it is: no line is wrapped, and each lane stays in its column")
  func terminal() throws {
    for sample in TraceSample.all {
      let lanes = TraceSequence(sample.entries, program: "authctl").lanes.count
      for (width, isASCII) in [(80, false), (80, true), (120, false), (120, true)] {
        func text(isColoured: Bool) -> String {
          TraceDiagram.text(
            sample.entries, program: .standard, width: width, isASCII: isASCII, isColoured: isColoured)
        }
        let screen = try screen(text(isColoured: true), columns: width)
        #expect(screen.wrapped == 0 && screen.colours >= 2, "\(sample), \(width)")
        #expect(screen.columns[isASCII ? "|" : "│"]?.count == lanes, "\(sample), \(width): \(screen.columns)")
        // A wide character takes a second cell, which is empty.
        #expect(screen.lines.joined(separator: "\n") + "\n" == text(isColoured: false), "\(sample), \(width)")
      }
    }
  }

  @Test("a call at a terminal draws its flow within the width, in the characters of the locale", arguments: [80, 120])
  func call(width: Int) throws {
    let place = try Workplace.loggedIn()
    for (locale, lane) in [("C.UTF-8", "│"), ("C", "|")] {
      let terminal = try PseudoTerminal()
      let run = try place.start(
        ["call", "--simulate", "refused", "--trace", "-", "-o", "/dev/null", "me"], input: .screen(terminal),
        environment: ["COLUMNS": "\(width)", "LANG": locale, "TERM": "xterm-256color"])
      let text = try terminal.readToEnd()
      #expect(try run.wait().status == 0, "\(text)")
      let screen = try screen(text, columns: width)
      // The program, its background refresh, the keyring, the server and the API, which are one host here.
      #expect(screen.columns[lane]?.count == 5 && screen.wrapped == 0, "\(screen)")
      #expect(screen.colours > 2, "\(screen)")
      for part in ["authctl", "token store", "401 Unauthorized", "200 OK"] {
        #expect(screen.lines.contains { $0.contains(part) }, "\(part) in \(screen.lines)")
      }
      #expect(screen.lines.contains { $0.contains(locale == "C" ? "<access " : "‹access ") }, "\(screen.lines)")
    }
  }
}
