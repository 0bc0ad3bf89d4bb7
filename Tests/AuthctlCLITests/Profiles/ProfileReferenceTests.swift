import AuthCore
import Testing

@testable import AuthctlCLI

/// The manual's table of keys against the reader, which says itself what it knows when it meets a key that it doesn't.
@Suite("Reference of the profile's file") struct ProfileReferenceTests {
  /// The least of a profile of each type: keys above all tables, then tables.
  static let least: [ProfileType: (top: String, tables: [String: String])] = [
    .oauth2: ("issuer = \"https://id.example\"\nclient_id = \"c\"", [:]),
    .custom: (
      "type = \"custom\"\nbase = \"https://api.example\"",
      ["requests.login": "url = \"/login\"", "response": "access_token = \"/t\""]
    ),
    .basic: ("type = \"basic\"\nusername = \"a\"\napi = [\"https://api.example\"]", [:]),
  ]

  static let cases = ProfileType.allCases.flatMap { type in
    ProfileKeyTable.all.filter { $0.kinds.contains(type) }.map { (type, $0.name) }
  }

  @Test("names the keys that the reader knows", arguments: cases)
  func keys(type: ProfileType, table: String) throws {
    let manual = ProfileKeyTable.all.filter { $0.name == table }.flatMap(\.keys)
      .filter { $0.kinds.contains(type) }.map(\.name)
    let tables = table.isEmpty ? Self.tableNames(type) : []
    // What any name can stand in is nothing to compare.
    let known = try Self.known(type, table.replacing("NAME", with: "login"))
    #expect(Set(known) == Set(manual + tables), "\(Set(known).symmetricDifference(manual + tables))")
  }

  @Test("states the defaults that the reader has")
  func defaults() throws {
    let name = try #require(ProfileName("p"))
    let bare = try Profile(toml: Self.least[.oauth2]?.top ?? "", file: "f", name: name)
    var text = Self.least[.oauth2]?.top ?? ""
    for table in [ProfileKeyTable.topLevel, .header] {
      if !table.name.isEmpty { text += "\n[\(table.name)]" }
      for key in table.keys where key.kinds.contains(.oauth2) {
        if let value = key.standard { text += "\n\(key.name) = \(try value.text())" }
      }
    }
    var stated = try Profile(toml: text, file: "f", name: name)
    // In what a stated default differs: the flow is not chosen by itself, and tokens of any type can be sent.
    #expect(stated.isFlowStated && !bare.isFlowStated)
    #expect(stated.isHeaderStated && !bare.isHeaderStated)
    (stated.isFlowStated, stated.isHeaderStated) = (false, false)
    #expect(stated == bare)
  }

  /// The names of the tables that stand at the top.
  private static func tableNames(_ type: ProfileType) -> [String] {
    let names = ProfileKeyTable.all.filter { $0.kinds.contains(type) && !$0.name.isEmpty }
      .map { String($0.name.prefix { $0 != "." }) }
    return type == .custom ? names + ["endpoints"] : names
  }

  private static func known(_ type: ProfileType, _ table: String) throws -> [String] {
    let least = try #require(least[type])
    var tables = least.tables
    var top = least.top
    if table.isEmpty {
      top += "\nzzzzzzzzzz = 1"
    } else {
      tables[table] = (tables[table] ?? "") + "\nzzzzzzzzzz = 1"
    }
    let text = top + tables.sorted { $0.key < $1.key }.map { "\n[\($0.key)]\n\($0.value)" }.joined()
    let error = #expect(throws: AuthError.self) {
      try Profile(toml: text, file: "f", name: try #require(ProfileName("p")))
    }
    let hint = try #require(error?.explanation.hint)
    let list = try #require(hint.firstRange(of: "known here: "), "\(hint)")
    return hint[list.upperBound...].split(separator: ", ").map(String.init)
  }
}
