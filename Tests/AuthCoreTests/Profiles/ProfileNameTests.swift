import Testing

@testable import AuthCore

@Suite("ProfileName")
struct ProfileNameTests {
  @Test(
    "a name is of the grammar of profile.md",
    arguments: ["a", "9", "work", "a.b_c-D", String(repeating: "a", count: 64)])
  func taken(text: String) {
    #expect(ProfileName(text)?.string == text)
  }

  @Test(
    "anything else is not a valid name",
    arguments: ["", ".", "..", "-a", "_a", "a/b", "a b", "ä", "a\n", "a\0", "٣", String(repeating: "a", count: 65)])
  func refused(text: String) {
    #expect(ProfileName(text) == nil)
  }
}
