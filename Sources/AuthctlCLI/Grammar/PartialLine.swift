/// A command line up to the cursor, read as far as the table allows it; the rest of what is on it is ignored.
struct PartialLine {
  private let program: Program
  /// The number of its words.
  let count: Int
  /// The command with its options and operands so far; nil without a known command.
  private(set) var invocation: Invocation?
  /// All words that are not options, the command's included.
  private(set) var operands: [String] = []
  /// The option whose value is missing at the end of the line.
  private(set) var optionWithoutValue: Option?
  /// Whether what follows can't be an option.
  let optionsEnded: Bool

  /// Reads the words before the one at the cursor.
  init(_ words: [String], _ program: Program) {
    self.program = program
    count = words.count
    // Of a name with two meanings neither is completed.
    let command = (try? Parser(program: program).command(of: words)) ?? nil
    invocation = command.map { Invocation(command: $0, occurrences: [], operands: []) }
    var reader = ArgumentReader(words, options: program.options(of: command))
    let names = command?.words.count ?? 0
    while !reader.isAtEnd {
      do throws(ArgumentError) {
        switch try reader.next() {
        case .option(let occurrence, _): invocation?.occurrences.append(occurrence)
        case .operand(let operand):
          operands.append(operand)
          if operands.count > names { invocation?.add(operand, from: &reader) }
        case nil: break
        }
      } catch {
        if case .valueMissing(let option, _) = error { optionWithoutValue = option }
      }
    }
    optionsEnded = reader.optionsEnded
  }

  /// The commands of which one may follow; none after an unknown word.
  var commands: [Command] {
    var commands = program.commands
    for (place, word) in operands.enumerated() where place > 0 || word != "help" {
      commands = commands.first { $0.word == word }?.subcommands ?? []
    }
    return commands
  }
}
