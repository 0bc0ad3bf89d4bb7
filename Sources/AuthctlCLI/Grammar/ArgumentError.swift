/// An argument that the options don't allow; the cases carry names only, never a value that could be secret.
enum ArgumentError: Error, Hashable {
  /// No option has this name.
  case unknown(spelling: String)
  /// The line ends where the option's value should be.
  case valueMissing(Option, spelling: String)
  /// A switch was given a value.
  case valueNotAllowed(Option, spelling: String)
  /// The value isn't what the option takes.
  case invalidValue(Option, value: String)
  /// The value isn't one of the option's choices.
  case notAChoice(Option, spelling: String, value: String)
}
