import Foundation

/// What a program finds at its standard input.
enum ProgramInput: Sendable {
  /// Nothing: the end at once.
  case nothing
  /// A pipe with these bytes in it, which are written as they are read.
  case pipe(Data)
  /// A pipe that stays open, and empty, as long as the run is watched.
  case held
  /// A pseudo-terminal, which is the controlling one and standard error as well.
  case terminal(PseudoTerminal)
  /// A pseudo-terminal, which is the controlling one and standard output and error as well.
  case screen(PseudoTerminal)

  /// A pipe with this text in it.
  static func text(_ text: String) -> ProgramInput { .pipe(Data(text.utf8)) }
}
