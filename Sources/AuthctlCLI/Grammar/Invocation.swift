import AuthCore

/// What was typed: the command, its options in order, its operands. Nothing has been looked up or decided yet.
struct Invocation: Sendable {
  /// The command.
  let command: Command
  /// The options, in the order in which they were typed, those of the program among them.
  let occurrences: [Occurrence]
  /// The other arguments, in order, without the command's name.
  let operands: [String]

  /// Tells whether the option was given.
  func has(_ option: Option) -> Bool { occurrences.contains { $0.option == option } }

  /// The value of the option where it was given last; nil if it wasn't.
  func value(_ option: Option) -> String? { occurrences.last { $0.option == option }?.value }

  /// The values of the option, in order.
  func values(_ option: Option) -> [String] { occurrences.filter { $0.option == option }.compactMap(\.value) }

  /// The duration that an option of that form gives; nil if it is not given. The parser has checked it.
  func duration(_ option: Option) -> Duration? { value(option).flatMap(DurationText.parse) }

  /// The whole number that an option of that form gives; nil if it is not given. The parser has checked its range.
  func number(_ option: Option) -> Int? { value(option).flatMap { Int($0) } }
}

/// An option as it was typed once.
struct Occurrence: Sendable, Hashable {
  /// The option.
  let option: Option
  /// Its value; nil for a switch.
  let value: String?
}
