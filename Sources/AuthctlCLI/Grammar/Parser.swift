/// Reads a command line by the table, as GNU programs do: options anywhere, `--name=value`, `--name value`, `-xvalue`,
/// `-x value`, clusters of letters, `--` before what must not be read as an option.
struct Parser: Sendable {
  /// The table.
  let program: Program

  /// Makes a parser of the table.
  init(program: Program) { self.program = program }

  /// Reads the arguments without the program's own name.
  ///
  /// They are read from left to right, and the first thing that decides is the answer: a request for help or version
  /// stands if nothing before it was wrong, and what follows it isn't looked at.
  ///
  /// - Throws: ``UsageError`` where the table doesn't allow the line.
  func parse(_ arguments: [String]) throws(UsageError) -> Request {
    throw UsageError(message: "", hint: "")
  }
}
