import AuthCore

extension Invocation {
  /// The duration that an option gives; nil where it was not given.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where it is none.
  func duration(_ option: Option) throws(AuthError) -> Duration? {
    guard let text = value(option) else { return nil }
    guard let duration = DurationText.parse(text) else {
      let fault = Option.Value.Fault.duration
      throw .usage(
        .init("--\(option.long) \(Printable.text(text, limit: 80))", why: fault.why, hint: fault.hint))
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
          "--\(option.long) \(Printable.text(text, limit: 80))",
          why: "not a number from \(range.lowerBound) to \(range.upperBound)",
          hint: "use a whole number in this range"))
    }
    return number
  }
}
