import Foundation
import Testing

@testable import AuthctlCLI

extension GeneratedFile: CustomTestStringConvertible {
  public var testDescription: String { path }
}

/// Compares the checked-in pages with the table; `make generate` writes them.
@Suite("Generated files") struct GeneratedFilesTests {
  /// The top of the source tree.
  static let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test("are what the table says", arguments: Program.authctl.generatedFiles)
  func fresh(file: GeneratedFile) throws {
    let url = Self.top.appending(path: file.path)
    if ProcessInfo.processInfo.environment["AUTHCTL_REGENERATE"] == "1" {
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(file.text.utf8).write(to: url)
    }
    let isFresh = Data(file.text.utf8) == (FileManager.default.contents(atPath: url.path) ?? Data())
    #expect(isFresh, "\(file.path) is stale: run 'make generate' and commit what it changes")
  }

  @Test("are all that is there")
  func noLeftovers() throws {
    let expected = Set(Program.authctl.generatedFiles.map(\.path))
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.top.appending(path: "man").path) {
      #expect(expected.contains("man/\(name)"), "man/\(name) is made from nothing in the table: remove it")
    }
  }
}
