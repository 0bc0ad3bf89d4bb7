/// A key in a profile's file. The reader, the option of `login`, `profile show`, the writer of new profile files and
/// the manual are derived from it.
package struct ProfileKey: Sendable {
  /// The form of a value.
  package enum Form: Sendable, Equatable {
    case text, flag, duration, texts, statuses, table
    /// The path of a file: absolute in a `Profile`.
    case path
    /// One of these words.
    case choice([String])
    /// One of these words, or the name of a request of the profile.
    case word([String])
  }

  /// The option of `login` that sets a key; its name is the key's, with dashes.
  package struct Option: Sendable {
    /// The name of its value: `URL`; empty for a flag.
    package let placeholder: String
    /// One line for the short help.
    package let summary: String
    /// The types of profile for which the option may override the file, for this login only.
    package let overrides: [ProfileType]
    /// The place among the options: those with a lower number come first, those with the same in the order of the keys.
    package let rank: Int

    init(rank: Int = .max, _ placeholder: String, _ summary: String, overrides: [ProfileType] = []) {
      self.rank = rank
      self.placeholder = placeholder
      self.summary = summary
      self.overrides = overrides
    }

    /// Creates the option of a key that is true or false.
    init(rank: Int = .max, flag summary: String) {
      self.init(rank: rank, "", summary)
    }
  }

  /// The table that the key is in; empty above all tables.
  package private(set) var table = ""
  /// The key.
  package let name: String
  /// The types of profile that have the key.
  package private(set) var types: [ProfileType]
  /// The option that sets it; nil if only the file can.
  package let option: Option?
  /// The meaning, for the manual; empty if a table of the manual explains it.
  package let meaning: String
  private let ownWords: String?
  /// Creates the access to the value. A profile has few of all keys, and the path to a property takes a while.
  private let makeAccess: @Sendable () -> Access

  init(
    _ name: String, _ access: @autoclosure @escaping @Sendable () -> Access, form: String? = nil,
    types: [ProfileType] = [], option: Option? = nil,
    _ meaning: String
  ) {
    self.name = name
    makeAccess = access
    ownWords = form
    self.types = types
    self.option = option
    self.meaning = meaning
  }

  /// Returns the key as part of a table; its types are those of the table unless it names its own.
  fileprivate func inTable(_ table: String, _ types: [ProfileType]) -> ProfileKey {
    var key = self
    key.table = table
    if self.types.isEmpty { key.types = types }
    return key
  }

  /// The key with its table in TOML syntax: `header.name`.
  package var path: String { table.isEmpty ? name : "\(table).\(name)" }

  private var access: Access { makeAccess() }

  /// The form of a value.
  package var form: Form { access.form }

  /// The form of its values in words, for the manual: `a URL`.
  package var words: String { ownWords ?? access.words }

  /// Reads a value into a profile.
  package func read(_ value: JSONValue, into profile: inout Profile) throws(ProfileFault) {
    let path = table.isEmpty ? [name] : [table, name]
    try access.read(ProfileValue(path: path, content: value), &profile)
  }

  /// Returns the key's value in a profile; nil if it has none.
  package func shown(_ profile: Profile) -> JSONValue? { access.shown(profile) }

  /// Returns the default for a profile whose file has no value; nil if there is none.
  package func standard(in type: ProfileType) -> JSONValue? { shown(Profile(name: .unnamed, type: type)) }
}

extension ProfileKey {
  /// A property of a profile.
  typealias Property<Value> = any WritableKeyPath<Profile, Value> & Sendable

  /// Reads a key into a profile, and returns its value from one.
  struct Access: Sendable {
    let form: Form
    let words: String
    let read: @Sendable (ProfileValue, inout Profile) throws(ProfileFault) -> Void
    let shown: @Sendable (Profile) -> JSONValue?

    init(
      _ form: Form, _ words: String,
      read: @escaping @Sendable (ProfileValue, inout Profile) throws(ProfileFault) -> Void,
      shown: @escaping @Sendable (Profile) -> JSONValue? = { _ in nil }
    ) {
      self.form = form
      self.words = words
      self.read = read
      self.shown = shown
    }

    private init<Value>(
      _ form: Form, _ words: String, _ property: Property<Value>,
      _ read: @escaping @Sendable (ProfileValue) throws(ProfileFault) -> Value,
      _ shown: @escaping @Sendable (Value) -> JSONValue?
    ) {
      self.init(
        form, words, read: { value, profile throws(ProfileFault) in profile[keyPath: property] = try read(value) },
        shown: { shown($0[keyPath: property]) })
    }
  }
}

extension ProfileKey.Access {
  static func text(_ property: ProfileKey.Property<String?>, _ form: ProfileKey.Form = .text) -> Self {
    Self(
      form, form == .path ? "a path" : "a text", property, { value throws(ProfileFault) in try value.text() },
      { $0.map { .string($0) } })
  }

  static func path(_ property: ProfileKey.Property<String?>) -> Self { text(property, .path) }

  /// A text; an absent one is empty.
  static func text(_ property: ProfileKey.Property<String>) -> Self {
    Self(
      .text, "a text", property, { value throws(ProfileFault) in try value.text() },
      { $0.isEmpty ? nil : .string($0) })
  }

  static func flag(_ property: ProfileKey.Property<Bool>) -> Self {
    Self(
      .flag, "`true` or `false`", property, { value throws(ProfileFault) in try value.flag() }, { .bool($0) })
  }

  static func texts(_ property: ProfileKey.Property<[String]>) -> Self {
    Self(.texts, "a list of words", property, { value throws(ProfileFault) in try value.texts() }, { .list($0) })
  }

  static func urls(_ property: ProfileKey.Property<[WebURL]>) -> Self {
    Self(
      .texts, "a list of URLs", property, { value throws(ProfileFault) in try value.urls() },
      { .list($0.map(\.string)) })
  }

  static func url(_ property: ProfileKey.Property<WebURL?>) -> Self {
    Self(
      .text, "a URL", property, { value throws(ProfileFault) in try value.url() }, { $0.map { .string($0.string) } })
  }

  static func duration(_ property: ProfileKey.Property<Duration>) -> Self {
    Self(
      .duration, "a duration", property, { value throws(ProfileFault) in try value.duration() },
      { .string(DurationText.exact($0)) })
  }

  static func duration(_ property: ProfileKey.Property<Duration?>) -> Self {
    Self(
      .duration, "a duration", property, { value throws(ProfileFault) in try value.duration() },
      { $0.map { .string(DurationText.exact($0)) } })
  }

  static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
    _ property: ProfileKey.Property<Choice>
  ) -> Self where Choice.RawValue == String {
    Self(
      .choice(Choice.allCases.map(\.rawValue)), "a word", property,
      { value throws(ProfileFault) in try value.choice() }, { .string($0.rawValue) })
  }

  static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
    _ property: ProfileKey.Property<Choice?>
  ) -> Self where Choice.RawValue == String {
    Self(
      .choice(Choice.allCases.map(\.rawValue)), "a word", property,
      { value throws(ProfileFault) in try value.choice() as Choice }, { $0.map { .string($0.rawValue) } })
  }
}

extension JSONValue {
  /// Returns a list of texts; nil if it is empty.
  static func list(_ texts: [String]) -> JSONValue? {
    texts.isEmpty ? nil : .array(texts.map { .string($0) })
  }
}

/// A table of a profile's file, or the keys above all tables.
package struct ProfileKeyTable: Sendable {
  /// Its name: `header`, `requests.NAME`; empty above all tables.
  package let name: String
  /// Its purpose, for the manual.
  package let text: String
  /// Its keys, in the order in which they are read and described.
  package let keys: [ProfileKey]

  /// - Parameter types: the types of profile that have the table, and its keys that name none of their own.
  init(_ name: String, types: [ProfileType] = [.oauth2], _ text: String, _ keys: [ProfileKey]) {
    self.name = name
    self.text = text
    self.keys = keys.map { $0.inTable(name, types) }
  }

  /// The types of profile that have the table.
  package var types: [ProfileType] { ProfileType.allCases.filter { type in keys.contains { $0.types.contains(type) } } }

  /// All tables, in the order of the manual.
  package static let all = [topLevel, header, endpoints, parameters, network, on, requests, response]

  /// Returns the names at the top level of a profile of this type, including the tables.
  static func names(of type: ProfileType) -> [String] {
    topLevel.names(of: type)
      + all.filter { $0.types.contains(type) && $0.isStored }.map(\.name)
  }

  /// Returns the names of the keys of profiles of this type.
  func names(of type: ProfileType) -> [String] { keys.filter { $0.types.contains(type) }.map(\.name) }

  /// Whether the profile itself holds the keys, in a table of this name.
  package var isStored: Bool { !name.isEmpty && !name.contains(bytes: ".") }
}

extension ProfileKey {
  /// All keys that a profile itself holds.
  package static let all = ProfileKeyTable.all.filter { $0.name.isEmpty || $0.isStored }.flatMap { $0.keys }

  /// Returns the key with this path in profiles of a type; nil if there is none.
  package static func named(_ path: String, of type: ProfileType) -> ProfileKey? {
    all.first { $0.path == path && $0.types.contains(type) }
  }
}
