import Subprocess
package import SystemPackage

/// Lets the person at the terminal change a file.
package protocol TextEditor: Sendable {
  /// Opens a file and returns when the editor has ended.
  ///
  /// - Returns: why it failed; nil where it did not.
  func edit(_ file: FilePath) async -> String?
}

/// The editor of `$VISUAL`, else of `$EDITOR`, else the system's `editor`, else `vi`.
package struct SystemEditor: TextEditor {
  private let environment: [String: String]

  /// Looks at the environment; nothing is started yet.
  package init(environment: [String: String]) {
    self.environment = environment
  }

  package func edit(_ file: FilePath) async -> String? {
    let named = ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    // A shell reads the variable, as other programs have it done: it may hold options (`code --wait`).
    let command = named ?? "{ command -v editor >/dev/null && exec editor \"$1\"; }; exec vi"
    do {
      let result = try await Subprocess.run(
        .path("/bin/sh"), arguments: ["-c", command + " \"$1\"", "sh", file.string], input: .currentStandardInput,
        output: .currentStandardOutput, error: .currentStandardError)
      return result.terminationStatus.isSuccess ? nil : "it ended with \(result.terminationStatus)"
    } catch {
      return "it could not be started"
    }
  }
}
