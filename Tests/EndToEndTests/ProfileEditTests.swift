import Foundation
import TestSupport
import Testing

@Suite("profile edit, end to end")
struct ProfileEditTests {
  /// An editor that does what a shell script says with the file `$1`.
  private func editor(_ place: Workplace, _ script: String) throws -> [String: String?] {
    let file = place.session.directory.appending(path: "editor")
    try Data((script + "\n").utf8).write(to: file)
    // Read by a shell and not executed: a process that another test starts just now may hold it open for writing.
    return ["VISUAL": nil, "EDITOR": "sh \(file.path) --wait-for"]
  }

  private func draft(_ place: Workplace, _ profile: String = "work") -> URL {
    place.session.directory.appending(path: "s/authctl/drafts/\(profile).toml")
  }

  private func mode(_ url: URL) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    return (attributes[.posixPermissions] as? Int ?? 0) & 0o777
  }

  /// Runs `profile edit` at a terminal; each question is answered as said.
  private func edit(
    _ place: Workplace, _ profile: String = "work", editor: [String: String?], responses: [(String, String)] = []
  ) throws -> (status: Int32, screen: String) {
    let terminal = try PseudoTerminal()
    let run = try place.start(["profile", "edit", profile], input: .terminal(terminal), environment: editor)
    var screen = ""
    for (question, response) in responses {
      screen += try terminal.read(until: question)
      try terminal.type(response + "\n")
    }
    let status = try run.wait().status
    // All that has been written is there; the marker ends the reading.
    screen += (try? terminal.read(until: "\u{4}")) ?? ""
    return (status, screen)
  }

  @Test("gives the editor of VISUAL or EDITOR a copy on the terminal, and installs it with mode 0600")
  func installs() throws {
    let place = try Workplace(.none)
    try place.makeProfile()
    let script = #"test "$1" = --wait-for && test -t 0 && test -t 2 && echo 'refresh_before = "5m"' >>"$2""#
    #expect(try edit(place, editor: editor(place, script)).status == 0)
    let text = try String(contentsOf: place.file(), encoding: .utf8)
    #expect(text.hasSuffix("refresh_before = \"5m\"\n"))
    #expect(try mode(place.file()) == 0o600)
    #expect(!FileManager.default.fileExists(atPath: draft(place).path))
    var visual = try editor(place, "exit 1")
    visual["VISUAL"] = "true"
    #expect(try edit(place, editor: visual).status == 0)
  }

  @Test("makes a profile that there isn't, from a text to fill in; untouched it makes none")
  func new() throws {
    let place = try Workplace(.none)
    #expect(try edit(place, "new", editor: editor(place, "true")).status == 0)
    #expect(!FileManager.default.fileExists(atPath: place.file("new").path))
    let script = #"sed -i 's,https://id.example.com,https://id.example.org,' "$2""#
    #expect(try edit(place, "new", editor: editor(place, script)).status == 0)
    #expect(try mode(place.file("new")) == 0o600)
    #expect(try mode(place.file("new").deletingLastPathComponent()) == 0o700)
    #expect(try place.run("profile", "list").text == "new  oauth2  unavailable  https://id.example.org\n")
  }

  @Test("never installs what can't be read: says where the mistake is, and opens the editor again")
  func mistake() throws {
    let place = try Workplace(.none)
    try place.makeProfile()
    let before = try Data(contentsOf: place.file())
    // The first edit makes a mistake, the second fixes it.
    let script = #"if grep -q flwo "$2"; then sed -i s/^flwo.*// "$2"; else echo 'flwo = "x"' >>"$2"; fi"#
    let refused = try edit(place, editor: editor(place, script), responses: [("Edit it again?", "n")])
    #expect(refused.status == 2)
    #expect(refused.screen.contains("work.toml:7:1") && refused.screen.contains("did you mean 'flow'"), "\(refused)")
    #expect(try Data(contentsOf: place.file()) == before)
    #expect(try String(contentsOf: draft(place), encoding: .utf8).contains("flwo"))
    #expect(try mode(draft(place)) == 0o600)
    let mended = try edit(place, editor: editor(place, script), responses: [("Continue with it?", "")])
    #expect(mended.status == 0, "\(mended.screen)")
    #expect(try Data(contentsOf: place.file()) == before + Data("\n".utf8))
    let again = try edit(place, editor: editor(place, script), responses: [("Edit it again?", "y")])
    #expect(again.status == 0, "\(again.screen)")
    #expect(!FileManager.default.fileExists(atPath: draft(place).path))
  }

  @Test("keeps the draft when the editor fails, and when the file was changed meanwhile")
  func keeps() throws {
    let place = try Workplace(.none)
    try place.makeProfile()
    let before = try Data(contentsOf: place.file())
    let failed = try edit(place, editor: editor(place, #"echo 'default = true' >>"$2"; exit 3"#))
    #expect(failed.status == 1)
    #expect(try Data(contentsOf: place.file()) == before)
    #expect(try String(contentsOf: draft(place), encoding: .utf8).contains("default = true"))
    let script = #"echo '# elsewhere' >>"\#(place.file().path)""#
    let changed = try edit(place, editor: editor(place, script), responses: [("Continue with it?", "y")])
    #expect(changed.status == 1)
    #expect(try String(contentsOf: place.file(), encoding: .utf8).hasSuffix("# elsewhere\n"))
    #expect(try String(contentsOf: draft(place), encoding: .utf8).contains("default = true"))
    let thrown = try edit(
      place, editor: editor(place, "true"), responses: [("Continue with it?", "n"), ("Delete it?", "y")])
    #expect(thrown.status == 0, "\(thrown.screen)")
    #expect(!FileManager.default.fileExists(atPath: draft(place).path))
  }

  @Test("leaves a symbolic link one")
  func link() throws {
    let place = try Workplace(.none)
    try place.makeProfile()
    let target = place.session.directory.appending(path: "kept.toml")
    try FileManager.default.moveItem(at: place.file(), to: target)
    try FileManager.default.createSymbolicLink(at: place.file(), withDestinationURL: target)
    #expect(try edit(place, editor: editor(place, #"echo 'default = true' >>"$2""#)).status == 0)
    #expect(try String(contentsOf: target, encoding: .utf8).hasSuffix("default = true\n"))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: place.file().path) == target.path)
  }

  @Test(
    "edit needs a terminal: status 2, nothing is started", arguments: [[], ["--non-interactive"]])
  func nobody(options: [String]) throws {
    let place = try Workplace(.none)
    let marker = place.session.directory.appending(path: "started")
    let outcome = try place.run(
      ["profile", "edit", "new"] + options, environment: editor(place, "touch \(marker.path)"))
    #expect(outcome.status == 2 && outcome.error.contains(place.file("new").path), "\(outcome.error)")
    #expect(!FileManager.default.fileExists(atPath: marker.path))
  }
}
