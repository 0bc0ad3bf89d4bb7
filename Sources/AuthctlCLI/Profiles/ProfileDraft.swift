import AuthCore
import FoundationEssentials

/// The profile that the options of a `login` describe.
struct ProfileDraft: Sendable {
  private let name: ProfileName
  private let given: [(setting: ProfileSetting, values: [String])]
  private let impliedAuthentication: ClientAuthentication?
  private let remarks: [String]

  /// Reads the options.
  ///
  /// - Parameters:
  ///   - paths: by which the paths among them become absolute.
  ///   - impliedAuthentication: that of the secret or key that comes with them.
  ///   - discovered: what was found out and is not among the options.
  init(
    _ invocation: Invocation, name: ProfileName, paths: ProfilePaths, impliedAuthentication: ClientAuthentication?,
    discovered: DiscoveredSettings? = nil
  ) {
    self.name = name
    self.impliedAuthentication = impliedAuthentication
    remarks = discovered?.remarks ?? []
    given = ProfileSetting.all.compactMap { setting in
      if let values = discovered?.values[setting.key] { return (setting, values) }
      guard invocation.has(setting.option) else { return nil }
      let values = setting.form == .flag ? ["true"] : invocation.values(setting.option)
      return (setting, setting.form == .path ? values.map(paths.absolute) : values)
    }
  }

  /// Whether any setting was given.
  var isEmpty: Bool { given.isEmpty }

  /// The settings as the text of a profile's file.
  var toml: String {
    var lines = ["# Created by the first login to \(name). Edit it freely: it is never rewritten."]
    lines += remarks.map { "# \($0)" } + [""] + topLevel
    if !network.isEmpty { lines += ["", "[network]"] + network }
    return lines.joined(separator: "\n") + "\n"
  }

  private var topLevel: [String] {
    let lines = lines(of: nil)
    guard let impliedAuthentication, !given.contains(where: { $0.setting.key == "client_authentication" }) else {
      return lines
    }
    return lines + ["client_authentication = \"\(impliedAuthentication.rawValue)\""]
  }

  private var network: [String] { lines(of: "network") }

  private func lines(of table: String?) -> [String] {
    given.filter { $0.setting.table == table }
      .map { setting, values in "\(setting.key) = \(ProfileDraft.value(values, setting.form))" }
  }

  /// Refuses what no profile could hold.
  private func checkValues() throws(AuthError) {
    for (setting, values) in given {
      let option = "--\(setting.option.long)"
      if setting.form == .path, let path = values.first(where: { !FileManager.default.fileExists(atPath: $0) }) {
        throw .usage(
          .init("\(option) \(Escaped.text(path))", why: "there is no such file", hint: "check the path"))
      }
      if setting.option == ProfileSetting.proxy, values.contains(where: { $0.contains("@") }) {
        throw .usage(
          .init(
            option,
            why: "it contains user information (…@), which all users of this machine can read on the command line",
            hint: "set it in the environment: https_proxy, or http_proxy for http"))
      }
    }
  }

  /// The profile of the options alone.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where they do not make a whole one.
  func profile() throws(AuthError) -> Profile {
    try checkValues()
    do {
      return try Profile(toml: toml, file: "", name: name)
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
    try checkValues()
    guard profile.type == .oauth2 else { return try appliedToOther(profile, file: file) }
    var merged = profile
    let drafted = try whole(over: profile)
    for (setting, _) in given where setting.value(drafted) != setting.value(profile) {
      guard setting.concernsOneLogin else {
        throw .usage(
          .init(
            "--\(setting.option.long)", why: "profile \(name) already exists with a different value for \(setting.key)",
            hint: "edit \(file), or choose another profile name"))
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
    for (setting, values) in given where !states(profile, setting, values) {
      switch (profile.type, setting.key) {
      case (.custom, "flow"): merged.custom?.flow = values.last ?? ""
      case (.custom, "username"): merged.username = values.last
      case (.basic, "flow") where values.last == Flow.token.rawValue: merged.flow = .token
      default:
        throw .usage(
          .init(
            "--\(setting.option.long)",
            why: "profile \(name) is of type \(profile.type.rawValue) and has a different \(setting.key)",
            hint: "edit \(file), or choose another profile name"))
      }
    }
    return merged
  }

  /// Whether a profile of any type has a setting with these values: `60s` is `1m`.
  private func states(_ profile: Profile, _ setting: ProfileSetting, _ values: [String]) -> Bool {
    let stated = setting.value(profile)
    guard stated != values.joined(separator: " ") else { return true }
    let table = setting.table.map { "[\($0)]\n" } ?? ""
    let toml = "flow = \"token\"\n\(table)\(setting.key) = \(ProfileDraft.value(values, setting.form))"
    // A value that no profile can have is not the profile's.
    guard let drafted = try? Profile(toml: toml, file: "", name: name) else { return false }
    return setting.value(drafted) == stated
  }

  /// The options read as a profile, with the few keys that a profile can't be without taken from the file's.
  private func whole(over profile: Profile) throws(AuthError) -> Profile {
    let needed = [
      "client_id": profile.clientID, "issuer": profile.issuer,
      "client_authentication": profile.clientAuthentication.rawValue,
    ]
    var lines = topLevel
    for (key, value) in needed.sorted(by: { $0.key < $1.key }) {
      ProfileDraft.add(key, value, to: &lines)
    }
    let endpoints = [
      ("token", profile.endpoints.token), ("authorization", profile.endpoints.authorization),
      ("device_authorization", profile.endpoints.deviceAuthorization),
    ]
    lines.append("[endpoints]")
    for (key, url) in endpoints { ProfileDraft.add(key, url?.string, to: &lines) }
    var network = network
    if profile.clientAuthentication == .tls {
      ProfileDraft.add("client_certificate", profile.network.clientCertificate, to: &network)
      ProfileDraft.add("client_key", profile.network.clientKey, to: &network)
    }
    lines += ["[network]"] + network
    return try Profile(toml: lines.joined(separator: "\n"), file: "", name: name)
  }

  private static func add(_ key: String, _ value: String?, to lines: inout [String]) {
    guard let value, !lines.contains(where: { $0.hasPrefix("\(key) = ") }) else { return }
    lines.append("\(key) = \(quoted(value))")
  }

  private static func value(_ values: [String], _ form: ProfileSetting.Form) -> String {
    switch form {
    case .text, .path: quoted(values.last ?? "")
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

/// Settings of a new profile that the user has not entered, because an API publishes them.
struct DiscoveredSettings: Sendable, Equatable {
  /// The values, by their keys in a profile's file.
  let values: [String: [String]]
  /// What a reader of the file should know, a line each.
  let remarks: [String]
}
