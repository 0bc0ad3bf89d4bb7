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
}

/// An option as it was typed once.
struct Occurrence: Sendable, Hashable {
  /// The option.
  let option: Option
  /// Its value; nil for a switch.
  let value: String?
}

extension Invocation {
  /// The duration that an option gives; nil where it was not given.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where it is none.
  func duration(_ option: Option) throws(AuthError) -> Duration? {
    guard let text = value(option) else { return nil }
    guard let duration = DurationText.parse(text) else {
      let fault = Option.Value.Fault.duration
      throw .usage(
        .init("--\(option.long) \(Escaped.text(text, limit: 80))", why: fault.why, hint: fault.hint))
    }
    return duration
  }

  /// The whole number that an option gives; nil where it was not given.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where it is none within the range.
  func number(_ option: Option, in range: ClosedRange<Int>) throws(AuthError) -> Int? {
    guard let text = value(option) else { return nil }
    guard let number = Option.Value.number(text, in: range) else {
      throw .usage(
        .init(
          "--\(option.long) \(Escaped.text(text, limit: 80))",
          why: "not a number from \(range.lowerBound) to \(range.upperBound)",
          hint: "use a whole number in this range"))
    }
    return number
  }
}
