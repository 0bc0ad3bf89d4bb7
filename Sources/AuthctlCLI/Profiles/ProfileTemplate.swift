import AuthCore

/// A template of a profile: the text of its file, with placeholders for the values that only the user knows.
///
/// Each file of the folder Templates is one. Its first line is the title; a line `#: NAME (FORM) [DEFAULT]: MEANING`
/// describes a value, whose placeholder in the text is `{NAME}`. Each key stands on one line with its value.
struct ProfileTemplate: Sendable {
  /// The name, a word for the command line.
  let name: String
  /// The server that it is for, in a few words.
  let title: String
  /// The values that it needs, in order.
  let fields: [Field]
  /// The type of the profile.
  let type: ProfileType
  /// The text with its placeholders, without the lines that describe them.
  let text: String

  /// Reads the text of a file.
  init(_ name: String, _ file: String) {
    self.name = name
    let lines = file.split(separator: "\n", omittingEmptySubsequences: false)
    title = String(lines.first?.dropFirst("# ".count) ?? "")
    fields = lines.compactMap { Field($0) }
    let stated = lines.first { $0.hasPrefix("type = ") }?.split(separator: "\"").last
    type = stated.flatMap { ProfileType(rawValue: String($0)) } ?? .oauth2
    text = lines.filter { Field($0) == nil }.joined(separator: "\n")
  }

  /// Returns the text with a value in place of each placeholder of a field.
  ///
  /// Other placeholders are those of the profile's own requests, and stay.
  ///
  /// - Parameter values: the checked values of all fields by their names.
  func text(with values: [String: String]) -> String {
    var result = ""
    var rest = text[...]
    while let opening = rest.firstIndex(of: "{") {
      result += rest[..<opening]
      rest = rest[opening...]
      let end = rest.firstIndex(of: "}") ?? rest.startIndex
      let value = values[String(rest[..<end].dropFirst())]
      // A value can't end the string that it is in.
      result += value.map { String(JSONValue.string($0).toml.dropFirst().dropLast()) } ?? "{"
      rest = value == nil ? rest.dropFirst() : rest[rest.index(after: end)...]
    }
    return result + rest
  }

  /// Returns the options that give values to fields: `--field realm=REALM --client-id ID`.
  func options(for fields: [Field]) -> String { fields.map(\.option).joined(separator: " ") }

  /// The command that logs in for the first time to a profile from this template.
  func firstLogin(_ profile: String) -> String {
    let needed = fields.filter { $0.standard == nil }
    return "authctl login \(profile) --template \(name) \(options(for: needed))"
  }
}

extension ProfileTemplate {
  /// A value that a template needs.
  struct Field: Sendable, Equatable {
    /// Its name, which may be that of a profile key: `realm`, `client_id`.
    let name: String
    /// The form of its values.
    let form: Form
    /// The value that is used if none is given; nil if there is no such value.
    let standard: String?
    /// The meaning in words.
    let meaning: String

    /// Reads a line of a template; nil if it does not describe a field.
    init?(_ line: some StringProtocol) {
      guard line.hasPrefix("#: "), let colon = line.dropFirst(3).firstRange(of: ": ") else { return nil }
      let words = line[..<colon.lowerBound].dropFirst(3).split(separator: " ")
      guard (2...3).contains(words.count), let form = Form(rawValue: String(words[1].dropFirst().dropLast()))
      else { return nil }
      name = String(words[0])
      self.form = form
      standard = words.count == 3 ? String(words[2].dropFirst().dropLast()) : nil
      meaning = String(line[colon.upperBound...])
    }

    /// The option of `login` that sets the key of this name; nil if the name is not that of a key.
    var setting: ProfileSetting? { ProfileSetting.all.first { $0.key.path == name } }

    /// The option that gives the value, with a word for the value.
    var option: String {
      guard let option = setting?.option else { return "--field \(name)=\(name.uppercased())" }
      return "--\(option.long) \(option.value?.placeholder ?? "")"
    }
  }
}
