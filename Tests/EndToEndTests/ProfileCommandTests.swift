import Foundation
import TestSupport
import Testing

@Suite("profile list, show, path and remove, end to end")
struct ProfileCommandTests {
  @Test(
    "remove refuses while the profile is logged in; with --force the keyring forgets too, and the server is not asked")
  func removeLoggedIn() throws {
    let place = try Workplace.loggedIn()
    let refused = try place.run("profile", "remove", "work")
    refused.expect(2, error: "authctl logout work")
    #expect(try place.stored() != nil && FileManager.default.fileExists(atPath: place.file().path))
    let forced = try place.run("profile", "remove", "work", "--force")
    forced.expect(0)
    #expect(try place.stored() == nil && !FileManager.default.fileExists(atPath: place.file().path))
    #expect(try place.lab.lastRequests().isEmpty)
  }

  @Test("remove asks on a terminal, and takes nothing but y for a yes", arguments: [("y\n", true), ("\n", false)])
  func removeAsks(response: String, isGone: Bool) throws {
    let place = try Workplace()
    try place.makeProfile()
    let terminal = try PseudoTerminal()
    let run = try place.start(["profile", "remove", "work"], input: .terminal(terminal))
    _ = try terminal.read(until: "[y/N]")
    try terminal.type(response)
    #expect(try run.wait().status == (isGone ? 0 : 1))
    #expect(FileManager.default.fileExists(atPath: place.file().path) != isGone)
  }
}
