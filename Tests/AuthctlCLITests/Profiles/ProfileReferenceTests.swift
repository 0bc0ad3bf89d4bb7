import AuthCore
import Testing

@testable import AuthctlCLI

@Suite("Reference of the profile's file") struct ProfileReferenceTests {
  private static let text = Reference.profile.sections().map(\.text).joined(separator: "\n")

  @Test(
    "describes every key with its form",
    arguments: ProfileKeyTable.all.flatMap(\.keys).filter { !$0.meaning.isEmpty })
  func keys(key: ProfileKey) {
    let form = key.words.prefix(1).uppercased() + key.words.dropFirst()
    #expect(Self.text.contains("- `\(key.name)`: \(form). \(key.meaning)"))
  }

  @Test("states the defaults of the reader and the types that have a key")
  func notes() {
    #expect(Self.text.contains("if less than this validity remains. For a token that lives no longer than this"))
    #expect(Self.text.contains("a quarter of its lifetime. Default: `\"60s\"`. For type `oauth2` and `custom`."))
    #expect(Self.text.contains("replay the request, once. Default: `[401]`. For type `oauth2` and `custom`."))
    #expect(Self.text.contains("Default: `\"http://127.0.0.1/callback\"`. For type `oauth2`."))
    #expect(Self.text.contains("- `method`: A text. The method. Default: `\"POST\"`.\n"))
  }
}
