import Foundation
import TestSupport
import Testing

@testable import AuthCore
@testable import AuthctlCLI

/// Compares the diagrams of the sample flows with the files of `Tests/Traces`.
@Suite("Diagrams of sample flows") struct TraceGoldensTests {
  /// The form of a diagram, by the end of its file's name.
  enum Form: String, CaseIterable {
    case mermaid = ".mmd"
    case terminal = ".txt"
    case narrow = "-narrow.txt"
  }

  private func diagram(_ sample: TraceSample, _ form: Form) -> String {
    switch form {
    case .mermaid: TraceSequence(sample.entries, program: "authctl").mermaid()
    case .terminal: TraceDiagram.text(sample.entries, program: .standard, width: 100)
    case .narrow: TraceDiagram.text(sample.entries, program: .standard, width: 50, isASCII: true)
    }
  }

  @Test("are as in Tests/Traces", arguments: TraceSample.all, Form.allCases)
  func fresh(sample: TraceSample, form: Form) throws {
    let path = "Tests/Traces/\(sample.name)\(form.rawValue)"
    let url = GeneratedFilesTests.top.appending(path: path)
    let text = diagram(sample, form)
    if ProcessInfo.processInfo.environment["AUTHCTL_REGENERATE"] == "1" { try Data(text.utf8).write(to: url) }
    let kept = FileManager.default.contents(atPath: url.path).map { String(decoding: $0, as: UTF8.self) }
    #expect(kept == text, "\(path): AUTHCTL_REGENERATE=1 Tests/run.sh --filter TraceGoldensTests, and look at it")
  }
}
