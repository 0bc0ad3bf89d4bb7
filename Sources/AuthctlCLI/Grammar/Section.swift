/// A titled part of the long help and of a manual page, beyond those that every page has.
struct Section: Sendable {
  /// The title, in capitals: `EXIT STATUS`.
  let title: String
  /// The text, in ``Markup``.
  let text: String

  /// Makes a section: `Section("FILES", "- `~/.config/authctl/profiles/NAME.toml`: a profile.")`.
  init(_ title: String, _ text: String) {
    self.title = title
    self.text = text
  }
}
