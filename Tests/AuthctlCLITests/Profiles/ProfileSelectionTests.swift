import AuthCore
import Testing

@testable import AuthctlCLI

@Suite("ProfileSelection") struct ProfileSelectionTests {
  private func selection(_ words: [String], all: AuthctlCLI.Option? = nil) throws -> ProfileSelection {
    try ProfileSelection(Invocation(typed: words), all: all)
  }

  @Test("arguments and --profile name profiles")
  func named() throws {
    let both = try selection(["status", "a", "b"])
    #expect(both.operands.map(\.string) == ["a", "b"] && both.option == nil && both.name?.string == "a")
    let option = try selection(["status", "-p", "a"])
    #expect(option.operands.isEmpty && option.option?.string == "a" && option.name?.string == "a")
    let same = try selection(["status", "a", "--profile", "a"])
    #expect(same.operands.map(\.string) == ["a"] && same.option?.string == "a")
    let none = try selection(["status"])
    #expect(none.operands.isEmpty && none.name == nil && !none.isAll)
  }

  @Test("the arguments of a command that takes no profile are not names", arguments: ["call", "exec"])
  func others(command: String) throws {
    #expect(try selection([command, "https://h/x y"]).operands.isEmpty)
    #expect(try selection([command, "-p", "work", "https://h/"]).name?.string == "work")
  }

  @Test("--all means every profile, and none is named beside it")
  func all() throws {
    let all = try selection(["refresh", "--all"], all: RefreshOptions.all)
    #expect(all == .all)
    for words in [["refresh", "--all", "a"], ["refresh", "--all", "-p", "a"]] {
      let error = try usageError { _ = try selection(words, all: RefreshOptions.all) }
      #expect(error.text == "--all: it means every profile, but one is named, too")
    }
  }

  @Test("two ways to name a profile must agree", arguments: [["a"], ["b", "a"]])
  func contradiction(names: [String]) throws {
    let error = try usageError { _ = try selection(["status", "-p", "b"] + names) }
    #expect(error.text == "--profile b: another profile is named, too")
    #expect(error.hint == "name one profile")
  }

  @Test("a name that no profile can have is refused", arguments: [["status", "a/b"], ["token", "-p", "a/b"]])
  func invalid(words: [String]) throws {
    let error = try usageError { _ = try selection(words) }
    #expect(error.text == "profile 'a/b': invalid profile name")
  }

  @Test("a command that needs a name says so")
  func required() throws {
    #expect(try selection(["profile", "edit", "a"]).requiredName(for: "profile edit").string == "a")
    let error = try usageError { _ = try ProfileSelection.all.requiredName(for: "profile edit") }
    #expect(error.text == "profile edit: no profile named" && error.hint == "add the name of a profile")
  }
}
