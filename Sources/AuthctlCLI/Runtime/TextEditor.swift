import Subprocess
package import SystemPackage

/// Lets the user at the terminal edit a file.
package protocol TextEditor: Sendable {
  /// Opens a file and returns when the editor has ended.
  ///
  /// - Returns: why it failed; nil if it succeeded.
  func edit(_ file: FilePath) async -> String?
}

/// The editor of `$VISUAL`, else of `$EDITOR`, else the system's `editor`, else `vi`.
package struct SystemEditor: TextEditor {
  private let environment: [String: String]

  /// Creates the editor from the environment; starts nothing.
  package init(environment: [String: String]) {
    self.environment = environment
  }

  package func edit(_ file: FilePath) async -> String? {
    let named = ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    // A shell reads the variable, as in other programs: it may contain options (`code --wait`).
    let command = named ?? "{ command -v editor >/dev/null && exec editor \"$1\"; }; exec vi"
    do {
      let result = try await Subprocess.run(
        .path("/bin/sh"), arguments: ["-c", command + " \"$1\"", "sh", file.string], input: .currentStandardInput,
        output: .currentStandardOutput, error: .currentStandardError)
      return result.terminationStatus.isSuccess ? nil : "it ended with \(result.terminationStatus.words)"
    } catch {
      return "it could not be started"
    }
  }
}
