import AuthCore

/// What may stand at the cursor of a shell: the response to `authctl __complete WORDS…`.
///
/// The scripts in the folder `completions` pass on the words of the line up to the cursor. The last one, which may be
/// empty, is completed. The command is internal and not in the table. It runs at each press of Tab: it needs no
/// keyring, no network and no further thread, and it ignores what is wrong on the line.
struct WordCompletion: Hashable, Sendable {
  /// The first argument of the internal command.
  static let command = "__complete"

  /// What the shell adds to the candidates.
  enum Addition: String, Sendable {
    /// Nothing.
    case words
    /// The paths of files.
    case file
    /// The paths of directories.
    case directory
    /// The names of programs.
    case program
    /// What completes the line of another command.
    case command
  }

  /// A word that may stand at the cursor.
  struct Candidate: Hashable, Sendable {
    /// The word, without the characters before ``WordCompletion/start``.
    let word: String
    /// Its meaning in one line; may be empty.
    var summary = ""
  }

  /// What the shell adds.
  var addition = Addition.words
  /// The number of characters of the word before the part that is completed: 9 for `--output=fi`. For the line of
  /// another command, the number of words before it.
  var start = 0
  /// A name for what is completed: `FILE`.
  let label: String
  /// The candidates. They need not begin as the word does: each shell compares them in its own way.
  var candidates: [Candidate] = []

  /// Returns the lines for the shell: `ADDITION START LABEL`, then the candidates, each with its summary after a tab.
  func text(_ name: ProgramName) -> String {
    let lines = candidates.map { $0.summary.isEmpty ? $0.word : "\($0.word)\t\(name.named($0.summary))" }
    return (["\(addition.rawValue) \(start) \(label)"] + lines).joined(separator: "\n") + "\n"
  }
}

extension WordCompletion {
  /// Completes the last of the words.
  ///
  /// - Parameter profiles: returns the names of the profiles.
  init(of words: [String], in program: Program, profiles: () -> [String]) {
    let word = words.last ?? ""
    let line = PartialLine(Array(words.dropLast()), program)
    let options = program.options(of: line.invocation?.command)
    if let option = line.optionWithoutValue {
      self.init(valueOf: option, word[...], in: word, profiles)
    } else if !line.optionsEnded, let (option, value) = WordCompletion.attachedValue(in: word, options) {
      self.init(valueOf: option, value, in: word, profiles)
    } else if !line.optionsEnded, word.starts(withBytes: "-") {
      let possible = options.filter { $0.repeats || line.invocation?.has($0) != true }
      let names = possible.flatMap { option in option.names.map { Candidate(word: $0, summary: option.summary) } }
      self.init(label: "OPTION", candidates: names)
    } else if let invocation = line.invocation, !invocation.command.isFamily {
      self.init(operandOf: invocation, line, word, profiles)
    } else {
      let help = line.operands.isEmpty ? [Candidate(word: "help", summary: "show the help of a command")] : []
      let commands = line.commands.map { Candidate(word: $0.word, summary: $0.summary) }
      self.init(label: "COMMAND", candidates: commands + help)
    }
  }

  private init(operandOf invocation: Invocation, _ line: PartialLine, _ word: String, _ profiles: () -> [String]) {
    let all = invocation.command.operands
    let place = invocation.operands.count
    guard let operand = place < all.count ? all[place] : all.last, place < all.count || operand.repeats else {
      self.init(label: "")
      return
    }
    self.init(operand.completion, word[...], in: word, label: operand.placeholder, profiles)
    guard all[0].beginsCommand else { return }
    // A profile may stand before the `--` of another command's line.
    if place == 0, !line.optionsEnded { candidates = profiles().map { Candidate(word: $0) } }
    if place > 0 { (addition, start) = (.command, line.count - place) }
  }

  private init(valueOf option: Option, _ text: Substring, in word: String, _ profiles: () -> [String]) {
    guard let value = option.value else {
      self.init(label: "")
      return
    }
    self.init(value.completion, text, in: word, label: value.placeholder, profiles)
    candidates += value.choices.map { Candidate(word: $0, summary: value.summary($0)) }
  }

  /// Completes a text at the end of a word.
  private init(
    _ completion: Completion, _ text: Substring, in word: String, label: String, _ profiles: () -> [String]
  ) {
    var rest: Substring? = text
    self.init(label: label)
    switch completion {
    case .none: break
    case .file: addition = .file
    case .directory: addition = .directory
    case .program: addition = .program
    case .profile: candidates = profiles().map { Candidate(word: $0) }
    case .atFile: rest = text.dropping(prefix: "@")
    case .fieldFile:
      let content = text.firstIndex(ofAny: "=").map { text.suffix(after: $0) }
      rest = content?.dropping(prefix: "@") ?? content?.dropping(prefix: "<")
    }
    if [.atFile, .fieldFile].contains(completion), rest != nil { addition = .file }
    start = word.unicodeScalars.count - (rest ?? text).unicodeScalars.count
  }

  /// Returns the option whose value is in the word, as in `--output=FILE` or `-sofile`, and the value; nil for none.
  private static func attachedValue(in word: String, _ options: [Option]) -> (Option, Substring)? {
    if word.starts(withBytes: "--") {
      guard let equals = word.firstIndex(ofAny: "=") else { return nil }
      let option = options.first { $0.value != nil && "--\($0.long)".isEqual(toBytes: word[..<equals]) }
      return option.map { ($0, word.suffix(after: equals)) }
    }
    // A letter alone may still be completed to itself, with a blank after it.
    guard word.utf8.count > 2, var rest = word.dropping(prefix: "-") else { return nil }
    while let letter = rest.unicodeScalars.popFirst() {
      guard let option = options.first(where: { $0.short == Character(letter) }) else { return nil }
      if option.value != nil { return (option, rest) }
    }
    return nil
  }
}
