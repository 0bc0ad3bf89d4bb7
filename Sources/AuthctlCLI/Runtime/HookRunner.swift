import Subprocess
import SystemPackage

/// Runs the `[on]` commands of a profile.
package protocol HookRunner: Sendable {
  /// Runs a shell command and waits for its end, for at most ten seconds.
  ///
  /// - Parameter variables: added to the environment; never a secret.
  /// - Returns: why it failed; nil if it succeeded.
  func run(_ command: String, variables: [String: String]) async -> String?
}

/// Runs hook commands with `/bin/sh -c`.
package struct ShellHooks: HookRunner {
  /// Creates the runner.
  package init() {}

  package func run(_ command: String, variables: [String: String]) async -> String? {
    await withTaskGroup(of: String?.self) { group in
      group.addTask { await ShellHooks.shell(command, variables) }
      group.addTask {
        do {
          try await ContinuousClock().sleep(for: .seconds(10))
          return "it did not end within 10 seconds"
        } catch {
          return nil
        }
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
  }

  private static func shell(_ command: String, _ variables: [String: String]) async -> String? {
    let environment = Environment.inherit.updating(
      Dictionary(uniqueKeysWithValues: variables.map { (Environment.Key(stringLiteral: $0.key), Optional($0.value)) }))
    do {
      let result = try await Subprocess.run(
        .path("/bin/sh"), arguments: ["-c", command], environment: environment, input: .none, output: .discarded,
        error: .discarded)
      return result.terminationStatus.isSuccess ? nil : "it ended with \(result.terminationStatus.words)"
    } catch {
      return "it could not be started"
    }
  }
}
