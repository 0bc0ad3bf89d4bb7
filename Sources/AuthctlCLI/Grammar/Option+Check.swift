import AuthCore

extension Option.Value {
  /// What is wrong with a value.
  struct Fault: Sendable {
    /// Why it can't be used: `not a valid duration`.
    let why: String
    /// What to write instead.
    let hint: String

    /// The text is not a duration.
    static let duration = Fault(why: "not a valid duration", hint: "use 90s, 15m, 2h, 30d, or seconds without a unit")
  }

  /// A duration: `90s`, `15m`, `2h`, `30d`, or plain seconds.
  static func duration(_ placeholder: String) -> Option.Value {
    checked(placeholder) { text in
      DurationText.parse(text) == nil
        ? .duration : nil
    }
  }

  /// A whole number within a range.
  static func number(_ placeholder: String, _ range: ClosedRange<Int>) -> Option.Value {
    checked(placeholder) { text in
      guard number(text, in: range) == nil else { return nil }
      return Fault(
        why: "not a number from \(range.lowerBound) to \(range.upperBound)", hint: "use a whole number in this range")
    }
  }

  /// A text that must pass a check before anything else is looked at.
  static func checked(_ placeholder: String, _ check: @escaping @Sendable (String) -> Fault?) -> Option.Value {
    Option.Value(placeholder: placeholder, choices: [], completion: .none, check: check)
  }

  /// The number that a text is; nil if it is none within the range.
  static func number(_ text: String, in range: ClosedRange<Int>) -> Int? {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard text.utf8.allSatisfy(digits.contains), let number = Int(text), range.contains(number) else { return nil }
    return number
  }
}
