/// Puts mistakes on the command line into words, with the nearest thing that would have been right.
struct Diagnosis: Sendable {
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
        hint: "give it as '\(spelling) \(option.value?.placeholder ?? "")'")
    case .valueNotAllowed(_, let spelling):
      UsageError(message: "option '\(spelling)' takes no value", hint: "give it as '\(spelling)' alone")
    case .notAChoice(let option, let spelling, let value):
      UsageError(
        message: "option '\(spelling)' can't be \(quoted(value))",
        hint: "it is one of \(list(option.value?.choices ?? []))")
    }
  }

  /// Explains a word that stands where a command should.
  func unknownCommand(_ name: String) -> UsageError {
    let message = "unknown command \(quoted(name))"
    guard let nearest = Suggestion.nearest(to: name, among: program.commands.map(\.name) + ["help"]) else {
      return UsageError(message: message, hint: "'\(program.name) -h' lists the commands")
    }
    return UsageError(message: message, hint: "did you mean '\(nearest)'?")
  }

  /// Explains that an operand isn't there.
  func missingOperand(_ operand: Operand, _ command: Command) -> UsageError {
    UsageError(message: "'\(command.name)' needs \(operand.placeholder)", hint: usage(of: command))
  }

  /// Explains that there are more operands than the command takes. They aren't shown: a secret may be among them.
  func tooManyOperands(_ count: Int, _ command: Command) -> UsageError {
    let most = command.operands.count
    let takes = most == 0 ? "no operand" : most == 1 ? "one operand" : "\(most) operands"
    return UsageError(
      message: "'\(command.name)' takes \(takes), but \(count) \(count == 1 ? "was" : "were") given",
      hint: usage(of: command))
  }

  private func usage(of command: Command) -> String { "usage: " + Usage(program: program, command: command).line }

  private func hint(forUnknown spelling: String, _ command: Command?) -> String {
    let own = program.options(of: command).flatMap(\.names)
    if let nearest = Suggestion.nearest(to: spelling, among: own) { return "did you mean '\(nearest)'?" }
    let others = program.commands.filter { other in
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
