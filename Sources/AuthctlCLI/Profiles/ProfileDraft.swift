import AuthCore
import FoundationEssentials

/// The profile settings from the options of a `login`.
struct ProfileDraft: Sendable {
  /// A setting with its value.
  private struct Entry: Sendable {
    let setting: ProfileSetting
    let value: JSONValue
  }

  private var entries: [Entry] = []

  /// Creates a draft from the values of options.
  ///
  /// - Parameter paths: resolves relative paths among the values.
  init(_ given: [GivenSetting], _ paths: ProfilePaths) {
    entries = given.map { Entry(setting: $0.setting, value: $0.setting.value(of: $0.texts, paths)) }
  }

  /// Whether no setting was given.
  var isEmpty: Bool { entries.isEmpty }

  /// The value of a key; nil if it was not given.
  subscript(_ path: String) -> JSONValue? { entries.first { $0.setting.key.path == path }?.value }

  /// Returns a draft with values for keys that were not given.
  func adding(_ values: [String: JSONValue]) -> ProfileDraft {
    var draft = self
    draft.entries = ProfileSetting.all.compactMap { setting in
      (self[setting.key.path] ?? values[setting.key.path]).map { Entry(setting: setting, value: $0) }
    }
    return draft
  }

  /// Returns a draft with another value for a key.
  func replacing(_ path: String, with value: JSONValue) -> ProfileDraft {
    var draft = self
    draft.entries.removeAll { $0.setting.key.path == path }
    return draft.adding([path: value])
  }

  /// Refuses a file that does not exist.
  ///
  /// - Throws: ``AuthError/usage(_:)``.
  func checkFiles() throws(AuthError) {
    for entry in entries where entry.setting.key.form == .path {
      guard let path = entry.value.string, !SecretFile.isCredential(path),
        !FileManager.default.fileExists(atPath: path)
      else { continue }
      let option = "--\(entry.setting.option.long)"
      throw .usage("\(option) \(Escaped.text(path))", why: "there is no such file", hint: "check the path")
    }
  }

  /// Proves that the secrets of a new profile with these settings can be stored.
  ///
  /// - Throws: ``AuthError/storage(_:_:)`` if they can't, or if the key of a session file can't be used.
  func proveStore(of name: ProfileName, _ context: Context) async throws(AuthError) {
    var profile = Profile(name: name, clientID: "")
    profile.store = self["store"]?.string.flatMap { StoreKind(rawValue: $0) } ?? .keyring
    profile.storeKey = self["store_key"]?.string
    // A missing key is reported with the other settings.
    guard profile.store != .file || profile.storeKey != nil else { return }
    try await context.proveWritable(storeOf: profile)
  }

  /// Runs a function that reads these settings, and converts its errors into messages about the options.
  private func worded<Result>(
    for name: ProfileName, _ read: () throws(ProfileFault) -> Result
  ) throws(AuthError) -> Result {
    do {
      return try read()
    } catch {
      let given = entries.first { $0.setting.key.path == error.path.joined(separator: ".") }?.setting.option
      let missing = ProfileSetting.all.first { $0.key.path == error.missing }?.option
      let hint = missing.map { "give \($0.written)" } ?? error.hint
      guard let given else { throw .usage("profile \(name)", why: error.why, hint: hint) }
      throw .usage("--\(given.long)", why: error.predicate.map { "it \($0)" } ?? error.why, hint: hint)
    }
  }
}

extension ProfileDraft {
  /// Creates a profile from these settings alone.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if a setting is invalid or missing.
  func profile(_ name: ProfileName) throws(AuthError) -> Profile {
    try checkFiles()
    return try worded(for: name) { () throws(ProfileFault) in
      try Profile(name: name, settings: entries.map { (key: $0.setting.key, value: $0.value) })
    }
  }

  /// Returns the settings as the text of a profile's file.
  ///
  /// - Parameter remarks: comments for the file, one line each.
  func toml(_ name: ProfileName, remarks: [String] = []) -> String {
    var lines = ["# Created by the first login to \(name). Edit it freely: it is never rewritten."]
    lines += remarks.map { "# \($0)" }
    for table in ProfileKeyTable.all.map(\.name) {
      let own = entries.filter { $0.setting.key.table == table }
      guard !own.isEmpty else { continue }
      lines += table.isEmpty ? [""] : ["", "[\(table)]"]
      lines += own.map { "\($0.setting.key.name) = \($0.value.toml)" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Sets these settings in the text of a profile's file.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if a value is invalid, or a profile of this type does not have the key.
  func set(in text: inout ProfileText, of type: ProfileType, for name: ProfileName) throws(AuthError) {
    var checked = Profile(name: name, clientID: "")
    for entry in entries {
      guard let key = ProfileKey.named(entry.setting.key.path, of: type) else {
        throw .usage(
          "--\(entry.setting.option.long)", why: "a profile of type \(type.rawValue) does not have this setting",
          hint: "remove it")
      }
      checked = try worded(for: name) { () throws(ProfileFault) in
        var changed = checked
        try key.read(entry.value, into: &changed)
        return changed
      }
      text.set(key, to: entry.value)
    }
  }

  /// Returns the profile of a file with the settings that were given for this login alone.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if a setting that only the file can change was given.
  func applied(to profile: Profile, file: String) throws(AuthError) -> Profile {
    try checkFiles()
    var merged = profile
    for entry in entries {
      let path = entry.setting.key.path
      let key = ProfileKey.named(path, of: profile.type) ?? entry.setting.key
      let changed = try worded(for: profile.name) { () throws(ProfileFault) in
        var changed = merged
        try key.read(entry.value, into: &changed)
        return changed
      }
      // HTTP Basic has no flows, but also reads credentials from standard input.
      let mayDiffer =
        entry.setting.key.option?.overrides.contains(profile.type) == true
        || profile.type == .basic && path == "flow" && changed.flow == .token
        || path == "api" && ProfileAddition(self, to: profile) != nil
      guard mayDiffer || key.shown(changed) == key.shown(profile) else {
        throw different(entry.setting, profile, file)
      }
      if mayDiffer { merged = changed }
    }
    // The requests of a custom server are checked when one is sent.
    guard profile.type == .oauth2, !isEmpty else { return merged }
    return try worded(for: profile.name) { () throws(ProfileFault) in
      var checked = merged
      try checked.check()
      return checked
    }
  }

  private func different(_ setting: ProfileSetting, _ profile: Profile, _ file: String) -> AuthError {
    let why =
      profile.type == .oauth2
      ? "profile \(profile.name) already exists with a different value for \(setting.key.name)"
      : "profile \(profile.name) is of type \(profile.type.rawValue) and has a different \(setting.key.name)"
    return .usage("--\(setting.option.long)", why: why, hint: "edit \(file), or choose another profile name")
  }
}
