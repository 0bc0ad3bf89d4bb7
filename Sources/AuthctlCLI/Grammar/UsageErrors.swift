import AuthCore

/// Puts mistakes on the command line into words, with the nearest thing that would have been right.
struct UsageErrors: Sendable {
  /// The table.
  let program: Program

  /// Explains an argument that the options of the command don't allow.
  func explain(_ error: ArgumentError, _ command: Command?) -> UsageError {
    switch error {
    case .unknown(let spelling):
      UsageError(message: "unknown option \(quoted(spelling))", hint: hint(forUnknown: spelling, command))
    case .valueMissing(let option, let spelling):
      UsageError(
        message: "option '\(spelling)' needs a value",
        hint: "use '\(spelling) \(option.value?.placeholder ?? "")'")
    case .valueNotAllowed(_, let spelling):
      UsageError(message: "option '\(spelling)' does not take a value", hint: "use '\(spelling)' without a value")
    case .invalidValue(let option, let value):
      invalidValue(of: option, value)
    case .notAChoice(let option, let spelling, let value):
      UsageError(
        message: "invalid value \(quoted(value)) for option '\(spelling)'",
        hint: "use \(list(option.value?.choices ?? []))")
    }
  }

  /// Explains a word that stands where a command should, at the beginning or after the word of a family.
  func unknownCommand(_ name: String, below family: Command? = nil) -> UsageError {
    let message = "unknown command \(quoted([family?.name, name].compactMap { $0 }.joined(separator: " ")))"
    let known = family?.subcommands.map(\.word) ?? program.commands.map(\.name) + ["help"]
    if let nearest = Suggestion.nearest(to: name, among: known) {
      return UsageError(
        message: message, hint: "did you mean '\([family?.name, nearest].compactMap { $0 }.joined(separator: " "))'?")
    }
    // `edit` alone: the family's word was forgotten.
    if family == nil, let meant = program.allCommands.first(where: { $0.words.count > 1 && $0.word == name }) {
      return UsageError(message: message, hint: "did you mean '\(meant.name)'?")
    }
    let line = [program.name, family?.name, "-h"].compactMap { $0 }.joined(separator: " ")
    return UsageError(message: message, hint: "'\(line)' lists the commands")
  }

  /// Explains that help is asked for about more than one command.
  func furtherTopic(_ name: String) -> UsageError {
    UsageError(message: "'help' accepts one command", hint: "try \(quoted("\(program.name) help \(name)"))")
  }

  /// Explains that an operand isn't there.
  func missingOperand(_ operand: Operand, _ command: Command) -> UsageError {
    UsageError(message: "'\(command.name)' needs \(operand.placeholder)", hint: usage(of: command))
  }

  /// Explains that there are more operands than the command takes. They aren't shown: a secret may be among them.
  func tooManyOperands(_ count: Int, _ command: Command) -> UsageError {
    let most = command.operands.count
    let accepted = most == 1 ? "one \(command.operands[0].placeholder) argument" : most == 0 ? "no" : "\(most)"
    return UsageError(
      message: "\(command.name) accepts \(accepted)\(most == 1 ? "" : " arguments"), got \(count)",
      hint: usage(of: command))
  }

  /// The same as where a value can only be checked later.
  private func invalidValue(of option: Option, _ value: String) -> UsageError {
    let fault = option.value?.check(value)
    return UsageError(
      message: "--\(option.long) \(Escaped.text(value, limit: 80)): \(fault?.why ?? "invalid value")",
      hint: fault?.hint ?? "")
  }

  private func usage(of command: Command) -> String { "usage: " + Usage(program: program, command: command).line }

  private func hint(forUnknown spelling: String, _ command: Command?) -> String {
    let own = program.options(of: command).flatMap(\.names)
    // Before a similar name: a curl user means curl's option.
    if let advice = command?.unknownOptionAdvice(spelling) { return advice }
    if let nearest = Suggestion.nearest(to: spelling, among: own) { return "did you mean '\(nearest)'?" }
    let begun = own.filter { $0.hasPrefix(spelling) }
    if (2...4).contains(begun.count) { return "did you mean \(list(begun))?" }
    let others = program.allCommands.filter { other in
      other.name != command?.name && other.options.contains { $0.names.contains(spelling) }
    }
    if !others.isEmpty {
      return "it is an option of \(list(others.map { "\(program.name) \($0.name)" }, "and"))"
    }
    let line = [program.name, command?.name, "-h"].compactMap { $0 }.joined(separator: " ")
    return "'\(line)' lists the options"
  }

  private func list(_ words: [String], _ conjunction: String = "or") -> String {
    let quoted = words.map { "'\($0)'" }
    guard quoted.count > 1, let last = quoted.last else { return quoted.joined() }
    return quoted.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }

  /// The word in quotation marks, with control characters escaped: an argument can come from anywhere.
  private func quoted(_ word: String) -> String {
    let escaped = word.unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
        ? scalar.escaped(asASCII: true) : String(scalar)
    }
    return "'\(escaped.joined())'"
  }
}

/// A command line that the table doesn't allow.
///
/// Its texts hold names and numbers from the line but never the value of an option, which can be a secret; the one
/// exception is a value that had to be one of a few words.
struct UsageError: Error, Equatable {
  /// What is wrong: `unknown option '--profle'`.
  let message: String
  /// What to do, one line: `did you mean '--profile'?`.
  let hint: String
}
