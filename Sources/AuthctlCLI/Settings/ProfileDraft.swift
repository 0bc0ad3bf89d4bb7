import AuthCore

/// The profile that the options of a `login` describe.
struct ProfileDraft: Sendable {
  private let name: ProfileName
  private let given: [(setting: ProfileSetting, values: [String])]
  private let impliedAuthentication: ClientAuthentication?
  private let remarks: [String]

  /// Reads the options.
  ///
  /// - Parameters:
  ///   - impliedAuthentication: that of the secret or key that comes with them.
  ///   - discovered: what was found out and is not among the options.
  init(
    _ invocation: Invocation, name: ProfileName, impliedAuthentication: ClientAuthentication?,
    discovered: DiscoveredSettings? = nil
  ) {
    self.name = name
    self.impliedAuthentication = impliedAuthentication
    remarks = discovered?.remarks ?? []
    given = ProfileSetting.all.compactMap { setting in
      if let values = discovered?.values[setting.key] { return (setting, values) }
      guard invocation.has(setting.option) else { return nil }
      return (setting, setting.form == .flag ? ["true"] : invocation.values(setting.option))
    }
  }

  /// Whether any setting was given.
  var isEmpty: Bool { given.isEmpty }

  /// The settings as the text of a profile's file.
  var toml: String {
    var lines = ["# Made by the first login to \(name). Yours to edit: it is never rewritten."]
    lines += remarks.map { "# \($0)" } + [""]
    for (setting, values) in given { lines.append("\(setting.key) = \(ProfileDraft.value(values, setting.form))") }
    if let impliedAuthentication, !given.contains(where: { $0.setting.key == "client_authentication" }) {
      lines.append("client_authentication = \"\(impliedAuthentication.rawValue)\"")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The profile of the options alone.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where they do not make a whole one.
  func profile() throws(AuthError) -> Profile {
    do {
      return try Profile(toml: toml, file: "the options", name: name)
    } catch {
      throw .usage(
        .init(error.explanation.what, why: error.explanation.why, hint: ProfileDraft.asOptions(error.explanation.hint)))
    }
  }

  /// A profile of a file with what was given for this login alone.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where a setting was given that a file of its own decides.
  func applied(to profile: Profile, file: String) throws(AuthError) -> Profile {
    guard !isEmpty else { return profile }
    guard profile.type == .oauth2 else { return try appliedToOther(profile, file: file) }
    var merged = profile
    let drafted = try whole(over: profile)
    for (setting, _) in given where setting.value(drafted) != setting.value(profile) {
      guard setting.concernsOneLogin else {
        throw .usage(
          .init(
            "--\(setting.option.long)", why: "profile \(name) exists already and says otherwise",
            hint: "edit \(file), or log in to a profile of another name"))
      }
    }
    for (setting, _) in given {
      switch setting.key {
      case "flow": (merged.flow, merged.isFlowStated) = (drafted.flow, true)
      case "scope": merged.scope = drafted.scope
      case "audience": merged.audience = drafted.audience
      case "resource": merged.resource = drafted.resource
      case "username": merged.username = drafted.username
      case "redirect_uri": merged.redirectURI = drafted.redirectURI
      default: break
      }
    }
    return merged
  }

  /// The same for a profile of another type than `oauth2`: of a server with requests of its own, the request and the
  /// user's name may be chosen for one login.
  private func appliedToOther(_ profile: Profile, file: String) throws(AuthError) -> Profile {
    var merged = profile
    for (setting, values) in given where setting.value(profile) != values.joined(separator: " ") {
      switch (profile.type, setting.key) {
      case (.custom, "flow"): merged.custom?.flow = values.last ?? ""
      case (.custom, "username"): merged.username = values.last
      case (.basic, "flow") where values.last == Flow.token.rawValue: merged.flow = .token
      default:
        throw .usage(
          .init(
            "--\(setting.option.long)", why: "profile \(name) is of type \(profile.type.rawValue) and says otherwise",
            hint: "edit \(file), or log in to a profile of another name"))
      }
    }
    return merged
  }

  /// The options read as a profile, with the few keys that a profile can't be without taken from the file's.
  private func whole(over profile: Profile) throws(AuthError) -> Profile {
    let needed = [
      "client_id": profile.clientID, "issuer": profile.issuer,
      "client_authentication": profile.clientAuthentication.rawValue,
    ]
    var text = toml
    for (key, value) in needed.sorted(by: { $0.key < $1.key }) {
      guard let value, !text.contains("\n\(key) = ") else { continue }
      text += "\(key) = \(ProfileDraft.quoted(value))\n"
    }
    let endpoints = [
      ("token", profile.endpoints.token), ("authorization", profile.endpoints.authorization),
      ("device_authorization", profile.endpoints.deviceAuthorization),
    ]
    if endpoints.contains(where: { $0.1 != nil }) { text += "[endpoints]\n" }
    for (key, url) in endpoints {
      if let url { text += "\(key) = \(ProfileDraft.quoted(url.string))\n" }
    }
    if profile.clientAuthentication == .tls, let key = profile.network.clientKey,
      let certificate = profile.network.clientCertificate
    {
      text += "[network]\nclient_certificate = \(ProfileDraft.quoted(certificate))\n"
      text += "client_key = \(ProfileDraft.quoted(key))\n"
    }
    return try Profile(toml: text, file: "the options", name: name)
  }

  private static func value(_ values: [String], _ form: ProfileSetting.Form) -> String {
    switch form {
    case .text: quoted(values.last ?? "")
    case .flag: "true"
    case .list: "[" + values.map(quoted).joined(separator: ", ") + "]"
    case .statuses: "[" + values.map { Int($0) == nil ? quoted($0) : $0 }.joined(separator: ", ") + "]"
    }
  }

  /// A basic string of TOML.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let hex = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  private static func asOptions(_ hint: String) -> String {
    let key = hint.dropFirst("add ".count).prefix { $0 != " " }
    guard hint.hasPrefix("add "), let setting = ProfileSetting.all.first(where: { $0.key == key }) else { return hint }
    return "give --\(setting.option.long) \(setting.option.value?.placeholder ?? "")"
  }
}
