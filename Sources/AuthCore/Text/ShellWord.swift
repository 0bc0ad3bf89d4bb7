/// Quotes text as a word of a command line that the user may copy into a shell.
package enum ShellWord {
  /// Returns the text as one literal word, so that text from a server can't become a command.
  package static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || "_-.,:/@%+".utf8.contains(byte)
    }
    guard !isPlain || text.isEmpty else { return text }
    return "'" + text.replacing("'", with: #"'\''"#) + "'"
  }
}
