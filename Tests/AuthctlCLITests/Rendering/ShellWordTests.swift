import AuthCore
import Testing

@Suite("ShellWord") struct ShellWordTests {
  @Test(
    "a shell reads the word as the text that it was, whatever it was",
    arguments: [
      "read", "", "a b", "it's", "$(touch x)", "`id`", "a;b", "~", "*", "\\", "\"", "!!", "a\nb", "-x", "é", "''", "&",
      "#",
      "urn:x:y", "https://a/b?c=d",
    ])
  func word(text: String) throws {
    let outcome = try Tool.run(["sh", "-c", "printf %s " + ShellWord.quoted(text)])
    #expect(outcome == Tool.Outcome(status: 0, output: text, errors: ""))
  }

  @Test("text that no shell would change is unchanged")
  func plain() {
    #expect(ShellWord.quoted("https://a.example/b-c_d,e:f@g%20+h") == "https://a.example/b-c_d,e:f@g%20+h")
    #expect(ShellWord.quoted("a b") == "'a b'")
  }
}
