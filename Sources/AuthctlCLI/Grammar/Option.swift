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
