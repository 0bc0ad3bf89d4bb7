/// A command, with its options, its operands and its help.
struct Command: Sendable {
  /// The word that runs it, `call`; in a family both words, `profile list`.
  let name: String
  /// One line in lower case without a full stop.
  let summary: String
  /// The operands, in order.
  let operands: [Operand]
  private let makeManual: @Sendable () -> Manual
  /// Creates the options: a command line needs those of one command only.
  private let ownOptions: @Sendable () -> [Option]
  private let keyOptions: @Sendable () -> [Option]
  private let ownLeading: [String]?
  /// The commands of a family, which are run with the family's word and their own; empty for every other command.
  let subcommands: [Command]
  /// Returns advice for an unknown option, as it was typed; nil if there is none.
  let unknownOptionAdvice: @Sendable (String) -> String?
  /// Whether it does one thing after the other, and never waits for input on the thread of its tasks while other tasks
  /// must run: one thread is then enough for them.
  let isSequential: Bool
  /// Whether other programs run it, and not people: `-h` of the program does not list it.
  let isForPrograms: Bool
  /// The time after which it ends with an error, whatever it does. Nil if it may wait for a person, a server or a
  /// transfer, which have time limits of their own.
  let limit: Duration?

  /// Creates a command; `-h` shows all of its options unless `leading` is given.
  init(
    name: String, summary: String, operands: [Operand] = [],
    manual: @autoclosure @escaping @Sendable () -> Manual,
    settings: @autoclosure @escaping @Sendable () -> [Option] = [],
    options: @autoclosure @escaping @Sendable () -> [Option] = [],
    leading: [String]? = nil, isSequential: Bool = false, isForPrograms: Bool = false,
    limit: Duration? = nil,
    unknownOptionAdvice: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    makeManual = manual
    keyOptions = settings
    ownOptions = options
    ownLeading = leading
    subcommands = []
    self.isSequential = isSequential
    self.isForPrograms = isForPrograms
    self.limit = limit
    self.unknownOptionAdvice = unknownOptionAdvice
  }

  /// Creates a family: commands whose names begin with the same word.
  init(
    family name: String, summary: String, manual: @autoclosure @escaping @Sendable () -> Manual,
    subcommands: [Command]
  ) {
    self.name = name
    self.summary = summary
    makeManual = manual
    self.subcommands = subcommands
    operands = []
    keyOptions = { [] }
    ownOptions = { [] }
    ownLeading = []
    isSequential = false
    isForPrograms = false
    limit = nil
    unknownOptionAdvice = { _ in nil }
  }

  /// The prose of its help and its manual page. Each use reads it: only help and the manual need it.
  var manual: Manual { makeManual() }

  /// Example command lines; at least one. `-h` shows the first three.
  var examples: [Example] {
    guard isFamily else { return manual.examples }
    return subcommands.count == 1 ? subcommands[0].examples : subcommands.compactMap(\.examples.first)
  }

  /// The command's own options, in addition to the program's.
  var options: [Option] { keyOptions() + ownOptions() }

  /// Those of its options that set a key of a profile each. The long help has one line for all of them.
  var settings: [Option] { keyOptions() }

  /// The long names of its own options that `-h` shows, the most used first.
  var leading: [String] { ownLeading ?? options.map(\.long) }

  /// The words that run it, in order.
  var words: [String] { name.split(separator: " ").map(String.init) }

  /// The word that runs it within its family; otherwise its only word.
  var word: String { words.last ?? name }

  /// The options that `-h` shows.
  var shortHelpOptions: [Option] {
    let options = options
    return leading.compactMap { name in options.first { $0.long == name } }
  }

  /// Whether it only groups other commands and does nothing itself.
  var isFamily: Bool { !subcommands.isEmpty }
}
