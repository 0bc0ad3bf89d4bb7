import AuthCore

/// Writes text into HTML.
enum HTML {
  /// Returns text for the content or a quoted attribute of an element (HTML Standard, section 13.1.2). Control
  /// characters and those that change the writing direction are shown as escapes; line breaks stay if `isMultiline`.
  static func text(_ text: String, isMultiline: Bool = false) -> String {
    var shown = ""
    for scalar in (isMultiline ? Escaped.lines(text) : Escaped.line(text)).unicodeScalars {
      switch scalar {
      case "&": shown += "&amp;"
      case "<": shown += "&lt;"
      case ">": shown += "&gt;"
      case "\"": shown += "&quot;"
      case "'": shown += "&#39;"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}
