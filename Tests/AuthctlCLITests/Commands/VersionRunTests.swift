import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

@Suite("VersionRun") struct VersionRunTests {
  @Test("--version says whether the packages were the pinned ones", arguments: [(true, ""), (false, " (unpinned)")])
  func version(isPinned: Bool, ending: String) async throws {
    let console = try FakeConsole()
    var context = Context.test(home: URL(filePath: "/nowhere"), console: console)
    context.isPinned = isPinned
    #expect(await Application(context).run(["--version"]) == 0)
    #expect(String(decoding: console.writtenData, as: UTF8.self) == "authctl \(Program.currentVersion)\(ending)\n")
  }
}
