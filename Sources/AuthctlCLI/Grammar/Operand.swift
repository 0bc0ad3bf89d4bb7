/// An argument of a command that is not an option.
struct Operand: Sendable {
  /// The operand's name in help and manual: `PROFILE`.
  let placeholder: String
  /// Whether it is optional.
  let optional: Bool
  /// Whether it may be repeated; only the last operand of a command can be.
  let repeats: Bool
  /// The suggestions of shell completion.
  let completion: Completion
  /// Whether it begins another command's line: the arguments after it are not options of this program, and a profile
  /// may precede its `--`. Only the first operand of a command can do so.
  let beginsCommand: Bool

  /// Creates an operand: `Operand("PROFILE", optional: true, completion: .profile)`.
  init(
    _ placeholder: String, optional: Bool = false, repeats: Bool = false, completion: Completion = .none,
    beginsCommand: Bool = false
  ) {
    self.placeholder = placeholder
    self.optional = optional
    self.repeats = repeats
    self.completion = completion
    self.beginsCommand = beginsCommand
  }

  /// The operand in the usage line: `[PROFILE...]`.
  var usage: String {
    let name = (beginsCommand ? "[PROFILE] -- " : "") + placeholder + (repeats ? "..." : "")
    return optional ? "[\(name)]" : name
  }
}

/// The suggestions of shell completion for a value or an operand.
enum Completion: Sendable, Hashable {
  /// No suggestions: a text that only the user knows.
  case none
  /// The path of a file.
  case file
  /// The path of a directory.
  case directory
  /// After an `@`, the path of a file; without it, a text that only the user knows (curl's `-d`).
  case atFile
  /// After `NAME=@` or `NAME=<`, the path of a file; without them, a text that only the user knows (curl's `-F`).
  case fieldFile
  /// The name of a program.
  case program
  /// The name of a profile that has a file.
  case profile
}
