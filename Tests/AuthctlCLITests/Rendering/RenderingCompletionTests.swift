import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

/// Asks the shells themselves what they offer for a line whose cursor stands at its end.
@Suite("Completion") struct RenderingCompletionTests {
  /// A line and what is offered there: nothing more where `exactly`.
  struct Case: Sendable, CustomTestStringConvertible {
    let line: String
    let offered: [String]
    var exactly = true
    var testDescription: String { line }
  }

  static let everywhere: [Case] = [
    Case(line: "authctl ", offered: ["call", "help", "keyring", "logout", "status"]),
    Case(line: "authctl lo", offered: ["logout"]),
    Case(line: "authctl -p work lo", offered: ["logout"]),
    Case(line: "authctl help st", offered: ["status"]),
    Case(line: "authctl call --out", offered: ["--output"]),
    Case(line: "authctl call --pro", offered: ["--profile"]),
    Case(line: "authctl logout --", offered: ["--all", "--local-only", "--profile", "--color"], exactly: false),
    Case(line: "authctl --color a", offered: ["always", "auto"]),
    Case(line: "authctl call --errors j", offered: ["json"]),
    Case(line: "authctl -p ", offered: ["home.two", "work"]),
    Case(line: "authctl call --profile w", offered: ["work"]),
    Case(line: "authctl logout ", offered: ["home.two", "work"]),
    Case(line: "authctl logout work h", offered: ["home.two"]),
    Case(line: "authctl call -o fi", offered: ["file one", "file-two"]),
    Case(line: "authctl call -so fi", offered: ["file one", "file-two"]),
    Case(line: "authctl call -d @file-", offered: ["@file-two"]),
    Case(line: "authctl call --capath ", offered: ["folder/"]),
    Case(line: "authctl call ", offered: []),
    Case(line: "authctl keyring ", offered: ["erase", "status"]),
    Case(line: "authctl -p work keyring -q st", offered: ["status"]),
    Case(line: "authctl keyring erase ", offered: ["home.two", "work"]),
    Case(line: "authctl keyring erase w", offered: ["work"]),
    Case(line: "authctl keyring erase -o fi", offered: ["file one", "file-two"]),
    Case(line: "authctl keyring erase --fo", offered: ["--force"]),
    Case(line: "authctl keyring status --js", offered: ["--json"]),
    Case(line: "authctl keyring --pro", offered: ["--profile"]),
    Case(line: "authctl help keyring er", offered: ["erase"]),
    Case(line: "authctl help call ", offered: []),
  ]

  @Test(
    "works in bash",
    arguments: everywhere + [
      Case(line: "authctl --color=al", offered: ["always"]),
      Case(line: "authctl --color=", offered: ["always", "auto", "never"]),
      Case(line: "authctl call https://a/b?c=d --out", offered: ["--output"]),
      Case(line: "authctl logout -- --", offered: []),
    ])
  func bash(it: Case) throws {
    try expect(it, shell: "bash")
  }

  @Test("works in zsh", arguments: everywhere)
  func zsh(it: Case) throws {
    try expect(it, shell: "zsh")
  }

  @Test("works in fish", arguments: everywhere + [Case(line: "authctl --color=al", offered: ["--color=always"])])
  func fish(it: Case) throws {
    try expect(it, shell: "fish")
  }

  @Test("shows descriptions in zsh and fish", arguments: ["zsh", "fish"])
  func descriptions(shell: String) throws {
    let response = try complete("authctl call --out", shell: shell)
    #expect(response.raw.contains(#"write to a file: it's [quoted] \ escaped"#), "\(response.raw)")
    let commands = try complete("authctl cal", shell: shell)
    #expect(commands.raw.contains("send one request [with the token]: it's done"), "\(commands.raw)")
    let below = try complete("authctl keyring er", shell: shell)
    #expect(below.raw.contains("it's [all] gone"), "\(below.raw)")
  }

  @Test("runs in every shell for the real table without a word on standard error", arguments: ["bash", "zsh", "fish"])
  func realTable(shell: String) throws {
    let response = try complete("authctl --col", shell: shell, program: .authctl)
    #expect(response.offered == ["--color"])
    #expect(try complete("authctl profile sh", shell: shell, program: .authctl).offered == ["show"])
    #expect(try complete("authctl exec printen", shell: shell, program: .authctl).offered == ["printenv"])
    #expect(try complete("authctl profile edit w", shell: shell, program: .authctl).offered == ["work"])
  }

  @Test("works under another name, with the same profiles", arguments: ["bash", "zsh", "fish"])
  func renamed(shell: String) throws {
    #expect(try complete("foo call --out", shell: shell, name: "foo").offered == ["--output"])
    #expect(try complete("foo -p w", shell: shell, name: "foo").offered == ["work"])
  }

  @Test(
    "is inserted by bash as the command should get it",
    arguments: [
      ("authctl sta\t", ["status"]), ("authctl --color=al\tstatus", ["--color=always", "status"]),
      ("authctl logout wo\t", ["logout", "work"]), ("authctl call -o file\\ \t", ["call", "-o", "file one"]),
      ("authctl call -d @file-\t", ["call", "-d", "@file-two"]),
      ("authctl call --capath f\t", ["call", "--capath", "folder/"]),
      ("authctl call --out\tx", ["call", "--output", "x"]),
      ("authctl call --data=@file-\t", ["call", "--data=@file-two"]),
      ("authctl call -d@file-\t", ["call", "-d@file-two"]),
      ("authctl call http://a:1/?b=c@d --sil\t", ["call", "http://a:1/?b=c@d", "--silent"]),
      ("authctl -pwo\tsta\t", ["-pwork", "status"]), ("authctl call -sofile-\tx", ["call", "-sofile-two", "x"]),
    ])
  func typedInBash(keys: String, arguments: [String]) throws {
    let response = try complete(keys, shell: "zsh", driver: "type.zsh")
    #expect(response.raw.split(separator: "\n").map(String.init) == arguments)
  }

  private func expect(_ it: Case, shell: String) throws {
    let response = try complete(it.line, shell: shell)
    if it.exactly {
      #expect(response.offered.sorted() == it.offered, "\(response.raw)")
    } else {
      for word in it.offered { #expect(response.offered.contains(word), "\(response.raw)") }
    }
  }

  private func complete(
    _ line: String, shell: String, program: Program = .sample, name: String = "authctl",
    driver: String? = nil
  ) throws -> (offered: [String], raw: String) {
    let directory = try TemporaryDirectory()
    for file in program.generatedFiles {
      let isNamed = name == program.name
      let text = try isNamed ? file.text : Tool.run([RenderingRenameTests.script, name], input: file.text).output
      try directory.write(text, to: file.path.replacing(program.name, with: name))
    }
    for name in ["work.toml", "home.two.toml", "note.txt"] {
      try directory.write("", to: "config/authctl/profiles/\(name)")
    }
    for name in ["file one", "file-two", "folder/inner"] { try directory.write("", to: "here/\(name)") }
    let driver = GeneratedFilesTests.top.appending(
      path: "Tests/AuthctlCLITests/Shells/\(driver ?? "complete.\(shell)")"
    ).path
    let environment = [
      "XDG_CONFIG_HOME": directory.url.appending(path: "config").path, "HOME": directory.url.path, "TERM": "dumb",
    ]
    let outcome = try Tool.run(
      [
        "env", "-C", directory.url.appending(path: "here").path, shell, driver,
        directory.url.appending(path: "completions").path, line, name,
      ], environment: environment)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    let offered = outcome.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }.map(String.init)
    return (Array(Set(offered)), outcome.output)
  }
}
