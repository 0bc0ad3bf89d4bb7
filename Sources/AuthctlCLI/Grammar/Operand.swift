/// An argument of a command that isn't an option.
struct Operand: Sendable {
  /// Its name in help and manual: `PROFILE`.
  let placeholder: String
  /// Whether it may be left out.
  let optional: Bool
  /// Whether more of the kind may follow; only the last operand of a command can.
  let repeats: Bool
  /// What a shell can offer for it.
  let completion: Completion
  /// Whether it begins another command's line: no option behind it is ours.
  let beginsCommand: Bool

  /// Makes an operand: `Operand("PROFILE", optional: true, completion: .profile)`.
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

  /// How a line of usage shows it: `[PROFILE...]`.
  var usage: String {
    let name = (beginsCommand ? "-- " : "") + placeholder + (repeats ? "..." : "")
    return optional ? "[\(name)]" : name
  }
}

/// What a shell can offer where a value or an operand stands.
enum Completion: Sendable, Hashable {
  /// Nothing: a text that only the user knows.
  case none
  /// The path of a file.
  case file
  /// The path of a directory.
  case directory
  /// After an `@`, the path of a file; without it, a text that only the user knows (curl's `-d`).
  case atFile
  /// The name of a program.
  case program
  /// The name of a profile that has a file.
  case profile
}
