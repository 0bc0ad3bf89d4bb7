/// The text of a profile and where it came from, so that an error can name the place.
struct ProfileSource {
  /// The profile's name.
  let name: ProfileName
  /// The file's path; empty if the text is from no file that a person could look at.
  let file: String
  /// The TOML text.
  let text: String

  /// An error at the place where `path` stands in the text.
  func error(at path: [String], _ why: String, hint: String) -> AuthError {
    guard !file.isEmpty else { return error(why, hint: hint) }
    let place = ProfileLocator(text).place(of: path).map { ":\($0.line):\($0.column)" } ?? ""
    return error("\(file)\(place): \(why)", hint: hint)
  }

  /// An error about the profile as a whole.
  func error(_ why: String, hint: String) -> AuthError {
    .usage(.init("profile \(name)", why: why, hint: hint))
  }
}
