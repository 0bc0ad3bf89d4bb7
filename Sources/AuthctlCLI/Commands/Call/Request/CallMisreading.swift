import AuthCore

/// A path on the command line of `call` that may have been meant as something else, which a 404 suggests.
struct CallMisreading: Sendable, Equatable {
  /// The command that the user probably meant.
  let command: String

  /// Detects an address that is probably not a path; nil if it can only be a path.
  ///
  /// - Parameters:
  ///   - index: the position of the address among `addresses`.
  ///   - addresses: the addresses of the command line, as typed.
  ///   - profile: the profile that it names.
  init?(_ index: Int, of addresses: [String], _ profile: ProfileSelection = .none) {
    let text = addresses[index]
    if CallMisreading.methods.contains(text) {
      let path = addresses.dropFirst(index + 1).first.map { ShellWord.quoted($0) } ?? "PATH"
      command = "authctl call \(profile.repeatedOption)-X \(text) \(path)"
      return
    }
    guard text.contains(bytes: "/"), let host = LoginAddress(guessing: text) else { return nil }
    let query = text.firstIndex(ofAny: "?#").map { text[$0...] } ?? ""
    command = "authctl call " + profile.repeatedOption + ShellWord.quoted(host.url.description + query)
  }

  private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
}
