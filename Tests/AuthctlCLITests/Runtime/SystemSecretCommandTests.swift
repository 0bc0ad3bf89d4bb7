import AuthCore
import Testing

@testable import AuthctlCLI

@Suite("SystemSecretCommand")
struct SystemSecretCommandTests {
  private func failure(
    _ words: [String], patience: Duration = .seconds(600)
  ) async -> SecretCommandFailure? {
    await #expect(throws: SecretCommandFailure.self) {
      try await SystemSecretCommand(patience: patience).output(of: words)
    }
  }

  @Test("what a command prints is returned; its arguments are not read by a shell")
  func output() async throws {
    let command = SystemSecretCommand(patience: .seconds(600))
    #expect(try await command.output(of: ["printf", "%s", "$HOME; x"]) == "$HOME; x")
    #expect(try await command.output(of: ["/bin/sh", "-c", "echo a; echo b >&2"]) == "a\n")
  }

  @Test("a command that fails may succeed later; one that does not exist is an error of the profile")
  func failures() async throws {
    #expect(await failure(["sh", "-c", "exit 3"]) == .failed("the command ended with status 3"))
    #expect(await failure(["sh", "-c", "kill -TERM $$"]) == .failed("the command ended with signal 15"))
    let large = await failure(["head", "-c", "2000000", "/dev/zero"])
    #expect(large == .failed("the command printed more than 1 MiB"))
    #expect(await failure(["/nonexistent/command"]) == .notStarted("the command could not be started"))
    #expect(await failure(["nonexistent-command"]) == .notStarted("the command could not be started"))
  }

  @Test("a command that does not end, and one that leaves a program behind, are given up")
  func patience() async {
    let given = SecretCommandFailure.failed("the command did not end within 0.05s")
    #expect(await failure(["sleep", "600"], patience: .milliseconds(50)) == given)
    #expect(await failure(["sh", "-c", "sleep 20 & wait"], patience: .milliseconds(50)) == given)
  }
}
