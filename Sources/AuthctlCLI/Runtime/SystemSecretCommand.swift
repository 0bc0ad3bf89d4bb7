package import AuthCore
import Subprocess
import SystemPackage

/// Runs the command of `subject_token_command`, for at most 30 seconds.
package struct SystemSecretCommand: SecretCommand {
  /// The most bytes that a token has.
  private static let limit = 1 << 20
  private let patience: Duration

  /// Creates the runner.
  package init(patience: Duration = .seconds(30)) {
    self.patience = patience
  }

  package func output(of words: [String]) async throws(SecretCommandFailure) -> String {
    // A command that still runs then is killed; a program that it has started and that outlives it is not waited for.
    guard let result = await TimeLimit.run(patience, { await SystemSecretCommand.run(words) }) else {
      throw .failed("the command did not end" + (Task.isCancelled ? "" : " within \(DurationText.exact(patience))"))
    }
    return try result.get()
  }

  private static func run(_ words: [String]) async -> Result<String, SecretCommandFailure> {
    guard let name = words.first else { return .failure(.notStarted("the command is empty")) }
    do {
      // Its standard error may contain what it prints as the token.
      let result = try await Subprocess.run(
        name.contains(bytes: "/") ? .path(FilePath(name)) : .name(name), arguments: Arguments(Array(words.dropFirst())),
        input: .none, output: .string(limit: limit), error: .discarded)
      guard result.terminationStatus.isSuccess else {
        return .failure(.failed("the command ended with \(result.terminationStatus.words)"))
      }
      return .success(result.standardOutput)
    } catch let error as SubprocessError where error.code == .outputLimitExceeded {
      return .failure(.failed("the command printed more than 1 MiB"))
    } catch {
      return .failure(.notStarted("the command could not be started"))
    }
  }
}
