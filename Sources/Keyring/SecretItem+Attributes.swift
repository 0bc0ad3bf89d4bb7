import AuthCore

extension SecretItem {
  /// The public attributes by which the item is found, here and with `secret-tool`.
  func attributes(of application: String) -> [String: String] {
    ["application": application, "profile": profile, "kind": kind.rawValue]
  }

  /// The label that keyring programs show.
  func label(of application: String) -> String {
    kind == .tokens ? "\(application): \(profile)" : "\(application): \(profile) (\(kind.rawValue))"
  }

  /// The item's name in a message.
  var phrase: String {
    switch kind {
    case .tokens: "the tokens of “\(profile)”"
    case .clientSecret: "the client secret of “\(profile)”"
    case .password: "the password of “\(profile)”"
    case .dpopKey: "the DPoP key of “\(profile)”"
    case .key: "the private key of “\(profile)”"
    }
  }
}
