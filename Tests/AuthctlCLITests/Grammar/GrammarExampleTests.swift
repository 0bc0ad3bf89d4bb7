import Testing

@testable import AuthctlCLI

@Suite("Examples") struct GrammarExampleTests {
  static let commands = Program.authctl.allCommands + Program.sample.allCommands

  @Test("are lines that the table allows", arguments: commands.indices)
  func parse(index: Int) throws {
    let command = Self.commands[index]
    let program = index < Program.authctl.allCommands.count ? Program.authctl : Program.sample
    for example in command.examples {
      for line in Self.invocations(of: program.name, in: example.line) {
        #expect(throws: Never.self, "\(example.line)") { try Parser(program: program).parse(line) }
      }
    }
  }

  @Test(
    "are cut as a shell cuts them",
    arguments: [
      ("authctl call me", [["call", "me"]]),
      ("X=1 authctl call -d 'a b' \"c d\" | jq -r '.x|.y' >f", [["call", "-d", "a b", "c d"]]),
      ("authctl status && authctl call me", [["status"], ["call", "me"]]),
      ("curl -H \"$(authctl token --header)\" x", [["token", "--header"]]), ("authctl call ''", [["call", ""]]),
    ])
  func cut(line: String, expected: [[String]]) {
    #expect(Self.invocations(of: "authctl", in: line) == expected)
  }

  /// The arguments of each call of a program on a line of shell: quotes, pipes, lists, redirections and `$(...)`.
  static func invocations(of name: String, in line: String) -> [[String]] {
    var calls: [[String]] = [[]]
    var word: String?
    var quote: Character?
    var before: Character?
    for character in line + ";" {
      defer { before = character }
      if quote == "'" || quote == "\"" && !(before == "$" && character == "(") {
        if character == quote { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if " |&;<>()".contains(character) {
        if let word { calls[calls.count - 1].append(word) }
        word = nil
        quote = nil
        if character != " " { calls.append([]) }
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return calls.compactMap { call in
      call.firstIndex(of: name).map { Array(call[($0 + 1)...]) }
    }
  }
}
