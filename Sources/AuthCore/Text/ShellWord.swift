/// Quotes text as a word of a command line that the user may copy into a shell.
package enum ShellWord {
  /// Returns the text as one literal word, so that text from a server can't become a command.
  ///
  /// It is quoted byte by byte: single quotes are right in every shell. `$'…'`, which dash lacks, is used only for text
  /// that could control the terminal.
  package static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || "_-.,:/@%+".utf8.contains(byte)
    }
    guard !isPlain || text.isEmpty else { return text }
    guard !text.unicodeScalars.contains(where: isControl) else { return escaped(text) }
    return "'" + text.replacing(bytes: "'", with: #"'\''"#) + "'"
  }

  /// Line breaks and tabs are as they are between quotes.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.drivesTerminal && scalar != "\n" && scalar != "\t"
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "$'") { word, scalar in
      switch scalar {
      case "'", "\\": word += "\\\(scalar)"
      case _ where scalar.drivesTerminal:
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
          let digits = String(byte, radix: 8)
          word += "\\" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
        }
      default: word.unicodeScalars.append(scalar)
      }
    } + "'"
  }
}
