/// A page of the manual that is about something other than a command: a file's form.
struct Reference: Sendable {
  /// Its name without the program's: `profile` for `authctl-profile`.
  let name: String
  /// The section of the manual: 5 for a file's form.
  let manualSection: Int
  /// One line in lower case without a full stop.
  let summary: String
  /// The commands that deal with it: `profile`, `login`.
  let commands: [String]
  /// Makes its parts, in order; the first is the description. Only who writes the page needs them: no command waits for
  /// the text to be put together.
  let sections: @Sendable () -> [Section]
}
