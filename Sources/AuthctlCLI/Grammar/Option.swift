import AuthCore

/// One option: an entry of the table from which parser, help, manual and completions are made.
///
/// Two options are equal when their long names are: within one command's line a name has one meaning.
struct Option: Sendable {
  /// The long name without its dashes: `profile`.
  let long: String
  /// The letter without its dash, if the option has one: `p`.
  let short: Character?
  /// What follows the name; nil for a switch.
  let value: Value?
  /// Whether giving it again adds to it. Where false, the last one counts.
  let repeats: Bool
  /// One line in lower case without a full stop, for `-h` and completions.
  let summary: String
  /// What there is to say beyond the summary, in ``Markup``; empty if nothing.
  let detail: String

  /// Makes an option: `Option("profile", short: "p", .profile("NAME"), summary: "use this profile")`.
  init(
    _ long: String, short: Character? = nil, _ value: Value? = nil, repeats: Bool = false, summary: String,
    detail: String = ""
  ) {
    self.long = long
    self.short = short
    self.value = value
    self.repeats = repeats
    self.summary = summary
    self.detail = detail
  }

  /// The names as typed, the letter first: `-p`, `--profile`.
  var names: [String] {
    let letter = short.map { ["-\($0)"] } ?? []
    return letter + ["--\(long)"]
  }
}

extension Option: Hashable {
  static func == (left: Option, right: Option) -> Bool { left.long == right.long }

  func hash(into hasher: inout Hasher) { hasher.combine(long) }
}

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
