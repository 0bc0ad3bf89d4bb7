import AuthCore
import Testing

@testable import AuthctlCLI

@Suite("OutputArguments") struct OutputArgumentsTests {
  private func output(_ words: String...) throws -> OutputArguments {
    try OutputArguments(Invocation(typed: ["call", "/"] + words))
  }

  @Test("no value is set without an option")
  func plain() throws {
    let plain = try output()
    #expect(!plain.includesHeader && plain.headerFile == nil && !plain.isRaw && !plain.showsBar)
    #expect(!plain.dropsFailures && !plain.ignoresFailures && plain.writeOut == nil && !plain.hasUnusedPlaces)
  }

  @Test("each option has its place")
  func options() throws {
    #expect(try output("-i").includesHeader)
    #expect(try output("-I").includesHeader)
    #expect(try output("-D", "-").headerFile == "-")
    #expect(try output("--raw").isRaw)
    #expect(try output("-#").showsBar)
    #expect(try output("-f").dropsFailures)
    #expect(try output("--no-fail").ignoresFailures)
    let standard = try output("--fail-with-body")
    #expect(!standard.dropsFailures && !standard.ignoresFailures)
    #expect(try output("-w", "%{url}").writeOut == .text("%{url}"))
    #expect(try output("-w", "@f").writeOut == .file("f"))
  }

  @Test("more -o and -O than addresses are noticed")
  func tooMany() throws {
    #expect(try !output("-o", "a").hasUnusedPlaces)
    #expect(try output("-o", "a", "-O").hasUnusedPlaces)
  }

  @Test("a status of 400 has one effect", arguments: [("-f", "--fail-with-body"), ("--fail-with-body", "--no-fail")])
  func failures(one: String, other: String) throws {
    let error = try usageError { _ = try output(other, one) }
    #expect(error.text == "\(one == "-f" ? "--fail" : one): can't be combined with \(other)")
    #expect(error.hint == "use one of --fail, --fail-with-body and --no-fail")
  }

  @Test("a file has a name", arguments: ["-D", "-o"])
  func empty(option: String) throws {
    let error = try usageError { _ = try CallArguments(Invocation(typed: ["call", "/", option, ""])) }
    #expect(error.text == "\(option): the file name is empty")
    #expect(error.hint == "use a name, or - for standard output")
  }
}
