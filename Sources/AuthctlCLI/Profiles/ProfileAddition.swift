import AuthCore
import SystemPackage

/// The API that a login adds to the file of its profile, because the file has none: one line, and nothing else.
struct ProfileAddition: Sendable {
  /// The line, without its end.
  var line: String { "\(key.name) = \(value.toml)" }
  private let key: ProfileKey
  private let value: JSONValue

  /// - Parameter draft: the settings of the command line.
  /// - Returns: nil if the profile has an API, or the command line names none.
  init?(_ draft: ProfileDraft, to profile: Profile) {
    guard profile.api.isEmpty, let value = draft["api"], let key = ProfileKey.named("api", of: profile.type),
      let text = profile.text
    else { return nil }
    (self.key, self.value) = (key, value)
    // With `api = []` in it, the file could not be read again: it has another value.
    guard (try? Profile(toml: ProfileText(text).adding(key, value), file: "", name: profile.name)) != nil else {
      return nil
    }
  }

  /// Adds the line to the present text of the file.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if the file could not be read again; ``AuthError/failed(_:)`` if it can't be
  ///   written. The file is then unchanged.
  func write(to name: ProfileName, in profiles: ProfileDirectory) throws(AuthError) {
    guard let text = try profiles.text(of: name) else { return }
    let changed = ProfileText(text).adding(key, value)
    // A file that can't be read again must not be written: it would make the session unreachable.
    _ = try Profile(toml: changed, file: profiles.file(of: name).string, name: name)
    try profiles.replace(changed, as: name)
  }
}
