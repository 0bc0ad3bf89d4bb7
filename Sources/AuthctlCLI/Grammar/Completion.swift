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
