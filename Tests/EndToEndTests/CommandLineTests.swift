import Foundation
import TestSupport
import Testing

@Suite("the command line, end to end")
struct CommandLineTests {
  @Test("installed under another name, it calls itself so in messages, hints and help")
  func otherName() throws {
    let place = try Workplace()
    let binary = place.session.directory.appending(path: "authc").path
    try FileManager.default.createSymbolicLink(atPath: binary, withDestinationPath: Workplace.binary)
    func run(_ arguments: String...) throws -> Outcome {
      try ProgramRun(binary, arguments, environment: place.session.environment, folder: place.session.directory).wait()
    }
    #expect(try run("--version").text.hasPrefix("authc "))
    #expect(try run("stauts").error == "authc: unknown command 'stauts'\n  did you mean 'status'?\n")
    let none = "no profile configured yet; run: authc login URL"
    #expect(try run("status").error == "authc: \(none)\n")
    try place.makeProfile("authctl")
    #expect(try run("token").error == "authc: profile authctl: not logged in\n  run: authc login authctl\n")
    #expect(try run("token", "--errors=json").errorJSON().string("hint") == "run: authc login authctl")
    #expect(try run("status").text.contains("  to do          authc login authctl\n"))
    let help = try run("call", "--help").text
    #expect(help.contains("authc call me\n") && help.contains("`") == false)
    for word in help.split(whereSeparator: { $0.isWhitespace }) where word.contains("authctl") {
      #expect(word.contains("/authctl"), "\(word)")
    }
  }

  @Test(
    "help and version go to standard output and open nothing",
    arguments: [["-h"], ["--help"], ["--version"], ["call", "-h"]])
  func help(arguments: [String]) throws {
    let place = try Workplace(.none)
    let outcome = try place.run(arguments)
    #expect(outcome.status == 0)
    #expect(!outcome.output.isEmpty && outcome.error.isEmpty)
  }
}
