import AuthCore

/// A key of a profile's file, for the manual and for `profile show`.
///
/// The reader of the file has no table: it asks for what it wants. A test compares the two.
struct ProfileKey: Sendable {
  /// The key.
  let name: String
  /// What it may be, in ``Markup``: `a URL`.
  let form: String
  /// What holds where the file says nothing; nil for nothing.
  let standard: JSONValue?
  /// What it means, in ``Markup``.
  let meaning: String
  /// The kinds of profiles that have it.
  let kinds: [ProfileType]

  init(
    _ name: String, _ form: String, standard: JSONValue? = nil, kinds: [ProfileType] = [.oauth2], _ meaning: String
  ) {
    self.name = name
    self.form = form
    self.standard = standard
    self.kinds = kinds
    self.meaning = meaning
  }

  /// The key as an item of the manual's page.
  var markup: String {
    // A value of these few kinds has a form in JSON, which is TOML's too.
    let text = standard.flatMap { try? $0.text() }?.replacing(",", with: ", ")
    return "- `\(name)`: \(form.prefix(1).uppercased() + form.dropFirst()). \(meaning)"
      + (text.map { " Default: `\($0)`." } ?? "")
  }
}

/// A table of a profile's file, or what stands above all tables.
struct ProfileKeyTable: Sendable {
  /// Its name: `header`, `requests.NAME`; empty above all tables.
  let name: String
  /// What it is for, in ``Markup``: paragraphs.
  let text: String
  /// Its keys, in the order of the manual; empty where any name can stand.
  let keys: [ProfileKey]
  /// The kinds of profiles that have it.
  let kinds: [ProfileType]
}
