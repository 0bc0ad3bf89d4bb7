import AuthCore

/// Parses a command line with the table of options, as GNU programs do.
///
/// Options may be anywhere: `--name=value`, `--name value`, `-xvalue`, `-x value`, clusters of letters. The arguments
/// after `--` are not options. Long names can't be abbreviated.
struct Parser: Sendable {
  /// The table.
  let program: Program

  /// Creates a parser for the table.
  init(program: Program) { self.program = program }

  /// Parses the arguments, without the program's own name.
  ///
  /// They are read from left to right. A request for help or for the version takes effect if there is no error before
  /// it; the rest of the line is not read.
  ///
  /// - Throws: ``UsageError`` if the table does not allow the line.
  func parse(_ arguments: [String]) throws(UsageError) -> Request {
    guard let command = try command(of: arguments) else { return try parseWithoutCommand(arguments) }
    var reader = ArgumentReader(arguments, options: program.options(of: command))
    var words = command.words[...]
    var line = Invocation(command: command, occurrences: [], operands: [])
    while let argument = try next(of: &reader, command) {
      switch argument {
      case .option(let occurrence, let spelling):
        if let response = request(for: occurrence, spelling, command) { return response }
        try checkValue(of: occurrence, command)
        line.occurrences.append(occurrence)
        if occurrence.option.isOperand, let value = occurrence.value { line.operands.append(value) }
      case .operand(let operand):
        guard words.popFirst() == nil else { continue }
        if command.isFamily { throw diagnosis.unknownCommand(operand, below: command) }
        line.add(operand, from: &reader)
      }
    }
    try check(line.operands, of: command)
    return .run(line)
  }

  /// Finds the command whose words are the first operands, read with its own options. A subcommand takes precedence
  /// over its family.
  ///
  /// So an option may precede the command's name even if other commands have an option of the same name: in `--json
  /// status` only `status` has a switch of that name.
  func command(of arguments: [String]) throws(UsageError) -> Command? {
    // The options of a command are created only if its words are there.
    let named = program.allCommands.filter { command in
      let words = command.words
      return words.allSatisfy(arguments.contains) && firstOperands(words.count, of: arguments, command) == words
    }
    let words = named.map(\.words.count).max() ?? 0
    let fitting = named.filter { $0.words.count == words }
    guard fitting.count > 1 else { return fitting.first }
    let names = fitting.map { "'\($0.name)'" }.joined(separator: " or ")
    throw UsageError(message: "the command can be \(names)", hint: "put its name before its options")
  }

  /// Returns the first arguments that are not options. Stops at an option that the command does not allow.
  private func firstOperands(_ count: Int, of arguments: [String], _ command: Command?) -> [String] {
    var reader = ArgumentReader(arguments, options: program.options(of: command))
    var operands: [String] = []
    do {
      while operands.count < count, let argument = try reader.next() {
        if case .operand(let operand) = argument { operands.append(operand) }
      }
    } catch {
      // A line that these options do not allow is not for this command.
    }
    return operands
  }

  /// Parses a line without a known command: help, the version, or an error.
  private func parseWithoutCommand(_ arguments: [String]) throws(UsageError) -> Request {
    var reader = ArgumentReader(arguments, options: program.globalOptions)
    while let argument = try next(of: &reader, nil) {
      switch argument {
      case .option(let occurrence, let spelling):
        if let response = request(for: occurrence, spelling, nil) { return response }
      case .operand("help"):
        return try parseHelp(&reader)
      case .operand(let name):
        throw diagnosis.unknownCommand(name)
      }
    }
    return .missingCommand
  }

  /// Parses the arguments after the word `help`: the words of a command, or none.
  private func parseHelp(_ reader: inout ArgumentReader) throws(UsageError) -> Request {
    var topic: Command?
    while let argument = try next(of: &reader, nil) {
      switch argument {
      case .option(let occurrence, let spelling):
        if let response = request(for: occurrence, spelling, topic) { return response }
      case .operand(let name):
        guard topic == nil || topic?.isFamily == true else {
          throw diagnosis.furtherTopic(name)
        }
        guard let command = (topic?.subcommands ?? program.commands).first(where: { $0.word == name }) else {
          throw diagnosis.unknownCommand(name, below: topic)
        }
        topic = command
      }
    }
    return .longHelp(topic)
  }

  private var diagnosis: UsageErrors { UsageErrors(program: program) }

  private func next(of reader: inout ArgumentReader, _ command: Command?) throws(UsageError) -> Argument? {
    do {
      return try reader.next()
    } catch {
      throw diagnosis.explain(error, command)
    }
  }

  /// Returns the request for a help or version option; nil for every other option.
  private func request(for occurrence: Occurrence, _ spelling: String, _ command: Command?) -> Request? {
    switch occurrence.option {
    case .help: spelling == "--help" ? .longHelp(command) : .shortHelp(command)
    case .version: .version
    default: nil
    }
  }

  /// Refuses an invalid value before a profile is loaded or the user is prompted.
  private func checkValue(of occurrence: Occurrence, _ command: Command) throws(UsageError) {
    guard let value = occurrence.value, occurrence.option.value?.check(value) != nil else { return }
    throw diagnosis.explain(.invalidValue(occurrence.option, value: value), command)
  }

  private func check(_ operands: [String], of command: Command) throws(UsageError) {
    let needed = command.operands.filter { !$0.optional }
    if operands.count < needed.count {
      throw diagnosis.missingOperand(needed[operands.count], command)
    }
    let unlimited = command.operands.last?.repeats ?? false
    if operands.count > command.operands.count, !unlimited {
      throw diagnosis.tooManyOperands(operands.count, command)
    }
  }
}

extension Parser {
  /// Returns the value of an option on a line that may be invalid, for the report of its error.
  ///
  /// `--errors=json` applies to the error of its own line, wherever the option is. The option is recognized only by its
  /// long name, before `--`; a value that is not one of its choices is ignored.
  func peek(_ option: Option, in arguments: [String]) -> String? {
    let name = "--\(option.long)"
    let choices = option.value?.choices ?? []
    var found: String?
    var previous = ""
    for argument in arguments.prefix(while: { $0 != "--" }) {
      let value = previous == name ? argument : argument.dropping(prefix: name + "=").map(String.init)
      if let value, choices.contains(value) { found = value }
      previous = argument
    }
    return found
  }
}

/// The action that a command line requests.
enum Request: Sendable {
  /// Runs a command.
  case run(Invocation)
  /// The short help (`-h`) of a command, or of the program.
  case shortHelp(Command?)
  /// The long help (`--help`, `help`) of a command, or of the program.
  case longHelp(Command?)
  /// The version.
  case version
  /// None: no command was named. The short help is printed on standard error, with the status of a usage error.
  case missingCommand
}
