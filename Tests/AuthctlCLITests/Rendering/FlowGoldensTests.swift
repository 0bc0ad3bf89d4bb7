import Foundation
import TestSupport
import Testing

@testable import AuthCore
@testable import AuthctlCLI

/// Compares the diagrams of the sample flows with the files of `Tests/Flows`.
@Suite("Diagrams of sample flows") struct FlowGoldensTests {
  /// The form of a diagram, by the end of its file's name.
  enum Form: String, CaseIterable {
    case mermaid = ".mmd"
    case terminal = ".txt"
    case narrow = "-narrow.txt"
  }

  private func diagram(_ sample: FlowSample, _ form: Form) -> String {
    switch form {
    case .mermaid: FlowSequence(sample.entries, program: "authctl").mermaid()
    case .terminal: FlowDiagram.text(sample.entries, program: .standard, width: 100)
    case .narrow: FlowDiagram.text(sample.entries, program: .standard, width: 50, isASCII: true)
    }
  }

  @Test("are as in Tests/Flows", arguments: FlowSample.all, Form.allCases)
  func fresh(sample: FlowSample, form: Form) throws {
    let path = "Tests/Flows/\(sample.name)\(form.rawValue)"
    let url = GeneratedFilesTests.top.appending(path: path)
    let text = diagram(sample, form)
    if ProcessInfo.processInfo.environment["AUTHCTL_REGENERATE"] == "1" { try Data(text.utf8).write(to: url) }
    let kept = FileManager.default.contents(atPath: url.path).map { String(decoding: $0, as: UTF8.self) }
    #expect(kept == text, "\(path): AUTHCTL_REGENERATE=1 Tests/run.sh --filter FlowGoldensTests, and look at it")
  }
}
