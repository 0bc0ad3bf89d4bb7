/// What `-E` names, as curl reads it: a file, and behind a colon its key's password.
struct CertificateName: Sendable, Equatable {
  /// The file's path; nil where a password stands behind it.
  let path: String?

  /// Takes it apart: `\:` is a colon and `\\` a backslash of the path.
  init(_ text: String) {
    var path = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      switch character {
      case "\\" where rest.first == ":" || rest.first == "\\": path.append(rest.removeFirst())
      case ":":
        self.path = nil
        return
      default: path.append(character)
      }
    }
    self.path = path
  }
}
