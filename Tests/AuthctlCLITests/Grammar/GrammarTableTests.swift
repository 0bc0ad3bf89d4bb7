import Testing

@testable import AuthctlCLI

/// What must hold of every table, so that an option can be added without knowledge of its readers.
@Suite("Table") struct GrammarTableTests {
  static let programs = [Program.authctl, Program.sample]

  @Test("names every command once, in lower case, and none 'help'", arguments: programs.indices)
  func commandNames(index: Int) {
    let program = Self.programs[index]
    let names = program.allCommands.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(!names.contains("help"))
    for name in program.commands.map(\.name) { #expect(name.wholeMatch(of: /[a-z][a-z-]*/) != nil, "\(name)") }
    for family in program.commands {
      for command in family.subcommands {
        #expect(command.name.wholeMatch(of: /[a-z-]+ [a-z][a-z-]*/) != nil, "\(command.name)")
        #expect(command.words.first == family.name && command.subcommands.isEmpty, "\(command.name)")
      }
      #expect(family.subcommands.isEmpty || family.operands.isEmpty && family.options.isEmpty, "\(family.name)")
    }
  }

  @Test("runs the tasks of the commands that scripts repeat on one thread, and of no command that listens or draws")
  func sequential() {
    #expect(Program.authctl.allCommands.filter(\.isSequential).map(\.name) == ["call", "token", "exec"])
  }

  @Test("gives a name and a letter one meaning a command, the program's options included", arguments: programs.indices)
  func optionNames(index: Int) {
    let program = Self.programs[index]
    for command in [nil] + program.allCommands.map(Optional.some) {
      let names = program.options(of: command).flatMap(\.names)
      let twice = names.filter { name in names.count { $0 == name } > 1 }
      #expect(twice.isEmpty, "\(command?.name ?? program.name): \(twice)")
    }
  }

  @Test("writes options in the house's way", arguments: programs.indices)
  func optionStyle(index: Int) {
    for (place, option) in Self.options(of: Self.programs[index]) {
      let name = "\(place) --\(option.long)"
      #expect(option.long.wholeMatch(of: /[a-z][a-z0-9.-]+/) != nil, "\(name)")
      #expect(option.short.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "#") } ?? true, "\(name)")
      #expect(!option.repeats || option.value != nil, "\(name): a switch can't add up")
      guard let value = option.value else { continue }
      #expect(value.placeholder.wholeMatch(of: /[A-Z][A-Z0-9|:=_-]*/) != nil, "\(name): \(value.placeholder)")
      #expect(value.choices.isEmpty || value.completion == .none, "\(name): choices are the completion")
      #expect(Set(value.choices).count == value.choices.count, "\(name)")
      for choice in value.choices {
        #expect(choice.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._-]*/) != nil, "\(name): \(choice)")
      }
    }
  }

  @Test("writes summaries as one line without a capital and without a full stop", arguments: programs.indices)
  func summaries(index: Int) {
    let program = Self.programs[index]
    let options = Self.options(of: program).map { ("\($0.0) --\($0.1.long)", $0.1.summary) }
    for (name, summary) in options + program.allCommands.map({ ($0.name, $0.summary) }) + [("", program.summary)] {
      #expect(!summary.isEmpty && summary.count <= 72, "\(name): \(summary)")
      #expect(!summary.hasSuffix(".") && !summary.contains("\n") && !summary.contains("`"), "\(name): \(summary)")
      let word = summary.prefix { $0.isLetter }
      let isAcronym = word.count > 1 && word.allSatisfy(\.isUppercase)
      #expect(isAcronym || !(summary.first?.isUppercase ?? true), "\(name): \(summary)")
    }
  }

  @Test("explains every command, with an example of it", arguments: programs.indices)
  func commands(index: Int) {
    let program = Self.programs[index]
    for command in program.allCommands {
      #expect(!command.manual.description.isEmpty, "\(command.name)")
      #expect(command.examples.contains { $0.line.contains("\(program.name) \(command.name)") }, "\(command.name)")
      for example in command.examples {
        #expect(example.line.count <= 74 && !example.line.contains("\n"), "\(command.name): \(example.line)")
        #expect(example.explanation.hasSuffix("."), "\(command.name): \(example.explanation)")
      }
    }
  }

  @Test(
    "lets only the last operand repeat, and none that must be there follow one that needn't",
    arguments: programs.indices)
  func operands(index: Int) {
    for command in Self.programs[index].allCommands {
      let repeating = command.operands.dropLast().filter(\.repeats)
      #expect(repeating.isEmpty, "\(command.name)")
      let misplaced = command.operands.drop { !$0.optional }.filter { !$0.optional }
      #expect(misplaced.isEmpty, "\(command.name)")
    }
  }

  @Test("titles sections in capitals", arguments: programs.indices)
  func sections(index: Int) {
    let program = Self.programs[index]
    let references = program.references.flatMap { $0.sections() }
    for section in program.manual().sections + program.allCommands.flatMap(\.manual.sections) + references {
      #expect(section.title == section.title.uppercased() && !section.text.isEmpty, "\(section.title)")
    }
    #expect(program.date.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) != nil)
  }

  private static func options(of program: Program) -> [(String, Option)] {
    program.globalOptions.map { (program.name, $0) }
      + program.allCommands.flatMap { command in
        command.options.map { (command.name, $0) }
      }
  }
}
