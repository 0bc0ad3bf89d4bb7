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
    // Not a task group: it would wait for a program that the command has started and that outlives it.
    let (results, result) = AsyncStream.makeStream(of: Result<String, SecretCommandFailure>.self)
    let running = Task { result.yield(await SystemSecretCommand.run(words)) }
    let timer = Task { [patience] in
      try await ContinuousClock().sleep(for: patience)
      result.yield(.failure(.failed("the command did not end within \(DurationText.exact(patience))")))
    }
    defer {
      timer.cancel()
      // This kills a command that still runs.
      running.cancel()
    }
    for await first in results { return try first.get() }
    throw .failed("the command did not end")
  }

  private static func run(_ words: [String]) async -> Result<String, SecretCommandFailure> {
    guard let name = words.first else { return .failure(.notStarted("the command is empty")) }
    do {
      // Its standard error may contain what it prints as the token.
      let result = try await Subprocess.run(
        name.contains("/") ? .path(FilePath(name)) : .name(name), arguments: Arguments(Array(words.dropFirst())),
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
