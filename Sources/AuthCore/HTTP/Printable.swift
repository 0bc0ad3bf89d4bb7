/// Text from outside in a form that is safe to show: a server's words can't drive the reader's terminal.
public enum Printable {
  /// The text on one line, control and format characters escaped, cut to `limit` characters.
  public static func text(_ text: some StringProtocol, limit: Int = 300) -> String {
    var shown = ""
    for scalar in text.unicodeScalars.prefix(limit) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      default:
        shown.unicodeScalars.append(scalar)
      }
    }
    return text.unicodeScalars.count > limit ? shown + "…" : shown
  }
}
