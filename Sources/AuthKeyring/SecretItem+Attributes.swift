import AuthCore

extension SecretItem {
  /// The public attributes by which the item is found, here and with `secret-tool`.
  func attributes(of application: String) -> [String: String] {
    let owner = issuer.map { (name: "issuer", value: $0) } ?? (name: "profile", value: profile)
    return ["application": application, owner.name: owner.value, "kind": kind.rawValue]
  }

  /// Reads the attributes of an item of an application; nil if it is not one of ours.
  init?(_ attributes: [String: String], of application: String) {
    guard attributes["application"] == application, let kind = attributes["kind"].flatMap(Kind.init) else { return nil }
    if kind == .registration {
      guard let issuer = attributes["issuer"] else { return nil }
      self.init(registrationAt: issuer)
    } else {
      guard let profile = attributes["profile"] else { return nil }
      self.init(profile: profile, kind: kind)
    }
  }

  /// The label that keyring programs show.
  func label(of application: String) -> String {
    let owner = issuer ?? profile
    return kind == .tokens ? "\(application): \(owner)" : "\(application): \(owner) (\(kind.rawValue))"
  }

  /// The item's name in a message.
  var phrase: String {
    switch kind {
    case .tokens: "the tokens of “\(profile)”"
    case .clientSecret: "the client secret of “\(profile)”"
    case .password: "the password of “\(profile)”"
    case .dpopKey: "the DPoP key of “\(profile)”"
    case .key: "the private key of “\(profile)”"
    case .registration: "the client registered at “\(issuer ?? "")”"
    }
  }
}
