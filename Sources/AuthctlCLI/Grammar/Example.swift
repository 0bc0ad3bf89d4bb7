/// A line to try, and what it does.
struct Example: Sendable {
  /// The line as typed in a shell: `authctl call me`.
  let line: String
  /// What it does, in ``Markup``: one sentence.
  let explanation: String

  /// Makes an example: `Example("authctl call me", "Asks the first API of the profile who you are.")`.
  init(_ line: String, _ explanation: String) {
    self.line = line
    self.explanation = explanation
  }
}
