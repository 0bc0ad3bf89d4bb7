import AuthCore
import FoundationEssentials

/// The connection options of the command line of `call`, which override the profile's `[network]`.
struct NetworkArguments: Sendable {
  private let given: [(setting: NetworkSetting, value: String)]

  /// - Throws: ``AuthError/usage(_:)`` if a value is unusable, or contains a password.
  init(_ invocation: Invocation) throws(AuthError) {
    var given: [(NetworkSetting, String)] = []
    for occurrence in invocation.occurrences {
      guard let setting = CallOptions.settings.first(where: { $0.option == occurrence.option }) else { continue }
      given.append((setting, try setting.check(occurrence.value ?? "")))
    }
    self.given = given
  }

  /// Refuses a file of certificate authorities that does not exist, before anything is sent.
  ///
  /// - Throws: ``AuthError/usage(_:)``.
  func checkFiles() throws(AuthError) {
    guard let cacert = options(of: nil).cacert, !FileManager.default.fileExists(atPath: cacert) else { return }
    throw .usage("--cacert \(Escaped.text(cacert))", why: "there is no such file", hint: "check the path")
  }

  /// Returns the connection options of a profile, overridden by these. As in curl, the last one applies.
  func options(of profile: Profile?) -> NetworkOptions {
    var network = profile?.network ?? NetworkOptions()
    // The profile's key belongs to the profile's certificate.
    if given.contains(where: { $0.setting.option == CallOptions.cert }) { network.clientKey = nil }
    for (setting, value) in given { setting.set(&network, value) }
    return network
  }
}
