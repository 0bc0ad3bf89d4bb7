import AuthCore
import Testing

@testable import AuthctlCLI

@Suite("ProfileText") struct ProfileTextTests {
  private func key(_ path: String) throws -> ProfileKey { try #require(ProfileKey.named(path, of: .oauth2)) }

  private func setting(_ path: String, in lines: [String]) throws -> [String] {
    var text = ProfileText(lines.joined(separator: "\n"))
    text.set(try key(path), to: .string("new"))
    return text.string.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test(
    "a key is set on its line, on the comment that shows it, or after the last key",
    arguments: [
      (["scope = \"a\"", "# b", "[network]", ""], ["scope = \"new\"", "# b", "[network]", ""]),
      (["a = 1", "# scope = \"a\"", "b = 2"], ["a = 1", "scope = \"new\"", "b = 2"]),
      (["# scope = \"a\"", "scope = \"b\""], ["# scope = \"a\"", "scope = \"new\""]),
      (
        ["a = 1", "", "# of the table", "[x]", "y = 2"],
        ["a = 1", "scope = \"new\"", "", "# of the table", "[x]", "y = 2"]
      ),
      (["[x]", "scope = 2"], ["scope = \"new\"", "[x]", "scope = 2"]),
      (["scopes = 1", "# the scope = x"], ["scopes = 1", "scope = \"new\"", "# the scope = x"]),
    ])
  func top(lines: [String], expected: [String]) throws {
    #expect(try setting("scope", in: lines) == expected)
  }

  @Test("a key of a table is set in it, and a table that is missing is added")
  func table() throws {
    #expect(try setting("network.proxy", in: ["a = 1", ""]) == ["a = 1", "", "[network]", "proxy = \"new\"", ""])
    #expect(
      try setting("network.proxy", in: ["proxy = 1", "[network]", "cacert = 2", "", "[x]"])
        == ["proxy = 1", "[network]", "cacert = 2", "proxy = \"new\"", "", "[x]"])
    #expect(ProfileText("[network]\nproxy = 1").has(try key("network.proxy")))
    #expect(!ProfileText("proxy = 1\n[x]\nproxy = 1").has(try key("network.proxy")))
    #expect(!ProfileText("# scope = 1").has(try key("scope")))
  }
}
