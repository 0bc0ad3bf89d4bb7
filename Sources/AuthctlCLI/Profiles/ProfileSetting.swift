import AuthCore

/// A key of a profile, and the option of `login` that sets it.
struct ProfileSetting: Sendable {
  /// The key.
  let key: ProfileKey
  /// The option: the key's name with dashes for underscores.
  let option: Option
  private let rank: Int

  private init?(_ key: ProfileKey) {
    guard let described = key.option else { return nil }
    self.key = key
    rank = described.rank
    let isList = key.form == .texts || key.form == .statuses
    option = Option(
      key.name.replacing(bytes: "_", with: "-"), ProfileSetting.value(key.form, described.placeholder), repeats: isList,
      summary: described.summary)
  }

  private static func value(_ form: ProfileKey.Form, _ placeholder: String) -> Option.Value? {
    switch form {
    case .flag: nil
    case .text, .texts, .table: .text(placeholder)
    case .path: .file(placeholder)
    case .duration: .duration(placeholder)
    case .statuses: .number(placeholder, 400...599)
    case .choice(let words): .choice(placeholder, words)
    case .word(let words): .word(placeholder, words)
    }
  }

  /// Converts the option's values into the key's value; a path becomes absolute.
  func value(of texts: [String], _ paths: ProfilePaths) -> JSONValue {
    let last = texts.last ?? ""
    switch key.form {
    case .flag: return .bool(true)
    case .texts: return .array(texts.map { .string($0) })
    case .statuses: return .array(texts.map { text in Int64(text).map { .integer($0) } ?? .string(text) })
    case .path: return .string(paths.absolute(last))
    case .text, .duration, .choice, .word, .table: return .string(last)
    }
  }

  /// All settings, in the order of the manual and of a new profile's file.
  static let all: [ProfileSetting] = {
    let settings = ProfileKey.all.compactMap { ProfileSetting($0) }
    // A sort does not promise to keep the order of equal ranks.
    return settings.indices.sorted { (settings[$0].rank, $0) < (settings[$1].rank, $1) }.map { settings[$0] }
  }()
}

/// A setting with the values of its option, as given.
struct GivenSetting: Sendable {
  /// The setting.
  let setting: ProfileSetting
  /// The values in order; empty for a flag.
  let texts: [String]

  /// Returns the settings of a command line, in the order of ``ProfileSetting/all``.
  static func all(_ invocation: Invocation) -> [GivenSetting] {
    ProfileSetting.all.filter { invocation.has($0.option) }
      .map { GivenSetting(setting: $0, texts: invocation.values($0.option)) }
  }
}
