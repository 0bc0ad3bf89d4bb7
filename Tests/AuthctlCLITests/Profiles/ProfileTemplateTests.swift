import AuthCore
import Foundation
import Testing

@testable import AuthctlCLI

/// The complete files of man/profiles, and what `profile edit` begins with.
@Suite("Templates of profiles") struct ProfileTemplateTests {
  static let folder = GeneratedFilesTests.top.appending(path: "man/profiles")
  static let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted() ?? []

  @Test("are those that the documentation names")
  func names() throws {
    let readme = try String(contentsOf: GeneratedFilesTests.top.appending(path: "README.md"), encoding: .utf8)
    let linked = readme.matches(of: /\]\(man\/profiles\/([a-z0-9-]+\.toml)\)/).map { String($0.1) }
    #expect(Set(linked) == Set(Self.files) && Self.files.count > 15)
    let kinds = ["json-pair", "retry-on-401", "success-flag", "register-nested", "guest-envelope", "basic"]
    #expect(kinds.allSatisfy { Self.files.contains("\($0).toml") })
  }

  @Test("can be read as they are, and hold nothing of which the manual does not know", arguments: files)
  func parse(file: String) throws {
    let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
    let name = try #require(ProfileName(String(file.dropLast(5))))
    _ = try Profile(toml: text, file: file, name: name)
    #expect(!text.contains("<") && text.hasPrefix("# "), "placeholders are words that can be read")
    for line in text.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
  }

  @Test("show command lines that the table allows", arguments: files)
  func examples(file: String) throws {
    let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
    for line in text.split(separator: "\n") where line.hasPrefix("#   ") && line.contains("authctl ") {
      let command = line.dropFirst(4).split(separator: "   #").first.map(String.init) ?? ""
      let calls = GrammarExampleTests.invocations(of: "authctl", in: command)
      #expect(!calls.isEmpty, "\(line)")
      for call in calls {
        #expect(throws: Never.self, "\(line)") { try Parser(program: .authctl).parse(call) }
      }
    }
  }

  @Test("the text that profile edit starts with is a valid profile")
  func beginning() throws {
    let name = try #require(ProfileName("new"))
    let text = ProfileTemplate.text(name)
    let profile = try Profile(toml: text, file: "new.toml", name: name)
    #expect(profile.issuer == "https://id.example.com")
    // The remarks are settings that hold when the mark is taken away.
    let lines = text.split(separator: "\n").map {
      $0.hasPrefix("# ") && $0.contains(/^# (\[|[a-z_]+ = )/) ? $0.dropFirst(2) : $0
    }
    _ = try Profile(toml: lines.joined(separator: "\n"), file: "new.toml", name: name)
  }
}
