import Testing

@testable import AuthctlCLI

/// What is offered for a line whose cursor stands at its end.
@Suite("Completion of a word") struct WordCompletionTests {
  /// A line and what is offered there: nothing more if `exactly`.
  struct Case: Sendable, CustomTestStringConvertible {
    let line: String
    let offered: [String]
    var exactly = true
    var testDescription: String { line }
  }

  /// What the shell completes itself.
  struct Rest: Sendable, CustomTestStringConvertible {
    let line: String
    var addition = WordCompletion.Addition.words
    var start = 0
    let label: String
    var testDescription: String { line }
  }

  @Test(
    "offers what the table has at the place",
    arguments: [
      Case(line: "authctl ", offered: ["call", "help", "keyring", "logout", "status"]),
      Case(line: "authctl", offered: []), Case(line: "authctl -p work lo", offered: ["logout"]),
      Case(line: "authctl -", offered: Program.sample.globalOptions.flatMap(\.names).sorted()),
      Case(line: "authctl help ", offered: ["call", "keyring", "logout", "status"]),
      Case(line: "authctl help -q keyring ", offered: ["erase", "status"]),
      Case(line: "authctl help call ", offered: []), Case(line: "authctl help keyring erase ", offered: []),
      Case(line: "authctl keyring ", offered: ["erase", "status"]),
      Case(line: "authctl keyring other ", offered: []), Case(line: "authctl keyring status ", offered: []),
      Case(line: "authctl other ", offered: []), Case(line: "authctl other -q", offered: ["-q"]),
      Case(line: "authctl -p work keyring -q st", offered: ["status"]),
      Case(line: "authctl keyring erase ", offered: ["home.two", "work"]),
      Case(line: "authctl keyring erase w", offered: ["work"]),
      Case(line: "authctl keyring erase --fo", offered: ["--force"]),
      Case(line: "authctl keyring status --js", offered: ["--json"]),
      Case(line: "authctl keyring --pro", offered: ["--profile"]),
      Case(line: "authctl help keyring er", offered: ["erase"]), Case(line: "authctl help st", offered: ["status"]),
      Case(line: "authctl lo", offered: ["logout"]), Case(line: "authctl call --pro", offered: ["--profile"]),
      Case(line: "authctl call --errors j", offered: ["json"]),
      Case(line: "authctl call --profile w", offered: ["work"]),
      Case(line: "authctl logout ", offered: ["home.two", "work"]),
      Case(line: "authctl logout work h", offered: ["home.two"]),
      Case(line: "authctl status work ", offered: []),
      Case(line: "authctl logout --", offered: ["--all", "--local-only", "--profile", "--color"], exactly: false),
      Case(line: "authctl logout -- --", offered: []), Case(line: "authctl logout --all --al", offered: []),
      Case(line: "authctl call -d a --da", offered: ["--data"]), Case(line: "authctl call -Xx --req", offered: []),
      Case(line: "authctl --color a", offered: ["always", "auto"]),
      Case(line: "authctl --color=", offered: ["always", "auto", "never"]),
      Case(line: "authctl --color=al", offered: ["always"]), Case(line: "authctl --colour=", offered: []),
      Case(line: "authctl --color=x st", offered: ["status"]), Case(line: "authctl --quiet=", offered: []),
      Case(line: "authctl -p ", offered: ["home.two", "work"]), Case(line: "authctl -qpwo", offered: ["work"]),
      Case(line: "authctl -qvwo", offered: []), Case(line: "authctl call ", offered: []),
      Case(line: "authctl call https://a/b?c=d@e --out", offered: ["--output"]),
      Case(line: "authctl call --bogus -\u{1B} -o", offered: ["-o"]),
      Case(line: "authctl call -o", offered: ["-o"]), Case(line: "authctl call --\u{301}=\u{301}", offered: []),
    ])
  func words(it: Case) {
    let word = it.line.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
    let completion = Self.complete(it.line)
    let begun = word.dropFirst(completion.start)
    let offered = completion.candidates.map(\.word).filter { $0.hasPrefix(begun) }
    if it.exactly {
      #expect(offered.sorted() == it.offered)
    } else {
      for word in it.offered { #expect(offered.contains(word), "\(offered)") }
    }
  }

  @Test(
    "leaves files and programs to the shell, and tells where they begin in the word",
    arguments: [
      Rest(line: "call -o ", addition: .file, label: "FILE"), Rest(line: "call -so f", addition: .file, label: "FILE"),
      Rest(line: "keyring erase -o fi", addition: .file, label: "FILE"),
      Rest(line: "call -so", addition: .file, start: 3, label: "FILE"),
      Rest(line: "call -sofi", addition: .file, start: 3, label: "FILE"),
      Rest(line: "call --output=fi", addition: .file, start: 9, label: "FILE"),
      Rest(line: "call --output==", addition: .file, start: 9, label: "FILE"),
      Rest(line: "call --capath ", addition: .directory, label: "DIR"),
      Rest(line: "call -d ", label: "DATA"), Rest(line: "call -d a@f", label: "DATA"),
      Rest(line: "call -d @", addition: .file, start: 1, label: "DATA"),
      Rest(line: "call -d@f", addition: .file, start: 3, label: "DATA"),
      Rest(line: "call --data=@\u{301}f", addition: .file, start: 8, label: "DATA"),
      Rest(line: "call --data=f", start: 7, label: "DATA"), Rest(line: "call -F a@b", label: "NAME=CONTENT"),
      Rest(line: "call -F é=@f", addition: .file, start: 3, label: "NAME=CONTENT"),
      Rest(line: "call --form=a=<f", addition: .file, start: 10, label: "NAME=CONTENT"),
      Rest(line: "call -F a=b@f", label: "NAME=CONTENT"), Rest(line: "call http://a:1/?b=@c", label: "URL|PATH"),
      Rest(line: "exec ", addition: .program, label: "COMMAND"),
      Rest(line: "exec work -- pr", addition: .program, label: "COMMAND"),
      Rest(line: "exec -- env -", addition: .command, start: 2, label: "ARGUMENT"),
      Rest(line: "-q exec work -- env A=B -- -", addition: .command, start: 4, label: "ARGUMENT"),
      Rest(line: "exec env --opt", addition: .command, start: 1, label: "ARGUMENT"),
    ])
  func shells(it: Rest) {
    var completion = Self.complete("authctl " + it.line, program: .withCommands)
    completion.candidates = []
    #expect(completion == WordCompletion(addition: it.addition, start: it.start, label: it.label))
  }

  @Test("offers profiles before the -- of another command's line, and only there")
  func precedingOperand() {
    let offered = ["exec ", "exec w", "exec -- ", "exec work -- ", "exec env "].map {
      Self.complete("authctl " + $0, program: .withCommands).candidates.map(\.word)
    }
    #expect(offered == [["work", "home.two"], ["work", "home.two"], [], [], []])
  }

  @Test("prints what the shell adds, then each candidate with its summary, under the name of the program")
  func text() {
    let completion = WordCompletion(
      addition: .file, start: 2, label: "FILE",
      candidates: [.init(word: "authctl-a"), .init(word: "b", summary: "run authctl: now")])
    let name = ProgramName(calledBy: "foo", commands: [])
    #expect(completion.text(name) == "file 2 FILE\nauthctl-a\nb\trun foo: now\n")
    #expect(WordCompletion(label: "").text(name) == "words 0 \n")
  }

  @Test("shows the title of each template of the real table")
  func templates() {
    let completion = Self.complete("authctl login --template ", program: .authctl)
    #expect(completion.candidates.map(\.word) == ProfileTemplate.names)
    #expect(completion.candidates.map(\.summary) == ProfileTemplate.all.map(\.title))
    #expect(completion.candidates.allSatisfy { !$0.summary.isEmpty && $0.summary.count < 100 })
  }

  private static func complete(_ line: String, program: Program = .sample) -> WordCompletion {
    let words = line.split(separator: " ", omittingEmptySubsequences: false).dropFirst().map(String.init)
    return WordCompletion(of: words, in: program) { ["work", "home.two"] }
  }
}

extension Program {
  /// The real `exec`, and a `call` with one of each kind of value.
  fileprivate static let withCommands = Program(
    name: "authctl", version: "1", date: "2026-01-31", summary: "a table for tests",
    globalOptions: Program.sample.globalOptions,
    commands: [
      .exec, .sampleKeyring,
      Command(
        name: "call", summary: "call", operands: [Operand("URL|PATH", repeats: true)], manual: Manual("Calls."),
        options: [.data, .output, .sampleSilent, .capath, CallOptions.form]),
    ],
    manual: { Manual("") })
}
