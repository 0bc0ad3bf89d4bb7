import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("ProfileEditRun") struct ProfileEditRunTests {
  /// Runs `profile edit work` at a terminal with an editor; the questions get these answers.
  private func edit(
    _ place: Workplace, answers: [String] = ["n"], failure: String? = nil,
    _ change: @escaping @Sendable (String) throws -> String
  ) async throws -> Outcome {
    let console = try FakeConsole(answers: answers)
    return await place.run(
      ["profile", "edit", "work"], at: console, with: .init(editor: FakeEditor(failure: failure, change: change)))
  }

  private func text(_ place: Workplace) throws -> String { try String(contentsOf: place.file(), encoding: .utf8) }

  @Test("installs what the editor has written, with mode 0600")
  func installs() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let before = try text(place)
    let outcome = try await edit(place) { $0 + "refresh_before = \"5m\"\n" }
    #expect(outcome.status == 0 && outcome.output.isEmpty)
    #expect(outcome.error == "authctl: profile work written to \(place.file().path)\n")
    #expect(try text(place) == before + "refresh_before = \"5m\"\n")
    #expect(try mode(of: FilePath(place.file().path)) == 0o600)
  }

  @Test("a draft that is as before changes nothing")
  func unchanged() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let outcome = try await edit(place) { $0 }
    #expect(outcome.status == 0 && outcome.error == "authctl: nothing was changed\n")
  }

  @Test("a draft with an error is reported, kept and not installed: status 2")
  func mistake() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let before = try text(place)
    let outcome = try await edit(place) { $0 + "flwo = \"x\"\n" }
    #expect(outcome.status == 2)
    #expect(outcome.error.contains("work.toml:7:1") && outcome.error.contains("did you mean 'flow'"))
    #expect(outcome.error.contains("the draft has an error; nothing was changed"), "\(outcome.error)")
    #expect(try text(place) == before)
  }

  @Test("the editor is opened again on demand, and the corrected draft is installed")
  func again() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let outcome = try await edit(place, answers: ["y"]) { text in
      text.contains("flwo") ? text.replacing("flwo = \"x\"", with: "refresh_before = \"5m\"") : text + "flwo = \"x\"\n"
    }
    outcome.expect(0)
    #expect(try text(place).hasSuffix("refresh_before = \"5m\"\n"))
  }

  @Test("an editor that fails leaves the file as it is: status 1")
  func failure() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let before = try text(place)
    let outcome = try await edit(place, failure: "it ended with 3") { $0 + "default = true\n" }
    #expect(outcome.status == 1)
    #expect(outcome.error.hasPrefix("authctl: the editor: it ended with 3\n  set VISUAL or EDITOR; "))
    #expect(try text(place) == before)
  }

  @Test("without a terminal no editor is started: status 2")
  func noTerminal() async throws {
    let place = try Workplace()
    let editor = FakeEditor { _ in throw SessionError("it was started") }
    let outcome = await place.run(["profile", "edit", "new"], at: try FakeConsole(), with: .init(editor: editor))
    #expect(outcome.status == 2)
    #expect(
      outcome.error == """
        authctl: profile edit: it needs a terminal
          edit the file itself: \(place.file("new").path)

        """)
  }

  @Test(
    "remove asks at a terminal, and only y removes the file",
    arguments: [("y", 0), ("n", 1), ("", 1)] as [(String, Int32)])
  func remove(answer: String, status: Int32) async throws {
    let place = try Workplace()
    try place.makeProfile()
    let console = try FakeConsole(answers: [answer])
    let outcome = await place.run(["profile", "remove", "work"], at: console)
    #expect(outcome.status == status)
    #expect(console.questions == ["Remove \(place.file().path)? [y/N] "])
    #expect(outcome.error == (status == 0 ? "authctl: removed \(place.file().path)\n" : "authctl: nothing removed\n"))
    #expect(FileManager.default.fileExists(atPath: place.file().path) == (status != 0))
  }
}
