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

  /// Each ASCII punctuation mark, with what makes it another `Character`.
  private static let marked = (0x21...0x7E).compactMap { Unicode.Scalar($0) }
    .filter { !$0.properties.isAlphabetic && $0.properties.numericType == nil }
    .flatMap { mark in ["\u{301}", "\u{200D}", "\u{FE0F}"].map { "\(mark)\($0)" } }

  @Test("a punctuation mark is itself for the shell, whatever follows it", arguments: marked)
  func marks(text: String) throws {
    for text in [text, "it" + text + ";echo PWNED;" + text, text + "$(echo PWNED)", text + text] {
      let outcome = try Tool.run(["sh", "-c", "printf %s " + ShellWord.quoted(text)])
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      // Not by ==, for which texts with different bytes may be equal.
      #expect(Array(outcome.output.utf8) == Array(text.utf8), "\(ShellWord.quoted(text))")
    }
  }

  @Test("bytes that could control a terminal are not in the word, and a shell that knows $'…' reads them")
  func controls() throws {
    let text = "a'\u{1}\u{1B}[31m\u{7F}\u{9B}\\\"\n7\u{202E}b"
    let word = ShellWord.quoted(text)
    #expect(word == #"$'a\'\001\033[31m\177\302\233\\"\0127\342\200\256b'"#)
    #expect(Array(try Tool.run(["bash", "-c", "printf %s " + word]).output.utf8) == Array(text.utf8))
  }

  @Test("text that no shell would change is unchanged")
  func plain() {
    #expect(ShellWord.quoted("https://a.example/b-c_d,e:f@g%20+h") == "https://a.example/b-c_d,e:f@g%20+h")
    #expect(ShellWord.quoted("a b") == "'a b'")
  }
}
