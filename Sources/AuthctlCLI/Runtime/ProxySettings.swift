import AuthCore

/// The proxies of requests, as libcurl chooses them: from the options or the profile, else from the environment.
struct ProxySettings: Sendable {
  /// A proxy, and where it is set.
  struct Proxy: Sendable, Equatable {
    /// The proxy's URL without user information.
    let url: String
    /// The environment variable; nil for an option or the profile.
    let variable: String?

    /// The place where it is set, in words.
    var source: String { variable ?? "proxy in [network]" }
  }

  /// A proxy that is not used for a host, and the rule that excepts it.
  struct Exception: Sendable, Equatable {
    /// The proxy.
    let proxy: Proxy
    /// The environment variable with the rule; nil for an option.
    let variable: String?
    /// The entry of the list.
    let entry: String
  }

  /// The settings of the profile.
  let network: NetworkOptions
  /// The environment.
  let environment: [String: String]

  /// Whether a proxy may be set by the environment.
  static func areSet(in environment: [String: String]) -> Bool {
    let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    return names.contains { environment[$0]?.isEmpty == false }
  }

  /// Returns the proxy for an origin; nil if requests go there directly.
  func proxy(of origin: Origin) -> Proxy? {
    rule(for: origin.host) == nil ? configured(for: origin) : nil
  }

  /// Returns the rule by which a proxy is not used for an origin; nil if there is no proxy or no rule.
  func exception(of origin: Origin) -> Exception? {
    guard let proxy = configured(for: origin), let entry = rule(for: origin.host) else { return nil }
    let variable = network.noProxy == nil ? first(["no_proxy", "NO_PROXY"])?.name : nil
    return Exception(proxy: proxy, variable: variable, entry: entry)
  }

  /// Returns the proxy for an origin, regardless of exceptions.
  private func configured(for origin: Origin) -> Proxy? {
    if let own = network.proxy { return ProxySettings.proxy(own, nil) }
    let scheme = origin.scheme.rawValue
    // As in curl, HTTP_PROXY is not read: a server can set it by a request's field `Proxy`.
    let names = ["\(scheme)_proxy"] + (origin.scheme == .http ? [] : ["HTTPS_PROXY"]) + ["all_proxy", "ALL_PROXY"]
    return first(names).flatMap { ProxySettings.proxy($0.value, $0.name) }
  }

  private static func proxy(_ text: String, _ variable: String?) -> Proxy? {
    text.isEmpty ? nil : Proxy(url: withoutUserInformation(text), variable: variable)
  }

  /// Returns the URL of a proxy without its user name and its password, which may contain any character.
  ///
  /// - Parameter mark: stands for them.
  static func withoutUserInformation(_ text: String, mark: String = "") -> String {
    guard let at = text.lastIndex(ofAny: "@") else { return text }
    let scheme = text.firstRange(ofBytes: "://").map { String(text[..<$0.upperBound]) } ?? ""
    return scheme + mark + text.suffix(after: at)
  }

  /// Refuses a proxy's password, which all users of the machine can read on the command line.
  ///
  /// - Parameters:
  ///   - texts: the values of the option.
  ///   - option: the option as it is typed.
  /// - Throws: ``AuthError/usage(_:)``.
  static func refuseUserInformation(in texts: [String], of option: String) throws(AuthError) {
    guard texts.contains(where: { $0.contains(bytes: "@") }) else { return }
    throw .usage(
      option, why: "it contains user information (…@), which all users of this machine can read on the command line",
      hint: "set it in the environment: https_proxy, or http_proxy for http")
  }

  /// Returns the entry of the list of exceptions that a host matches.
  private func rule(for host: String) -> String? {
    let list = network.noProxy ?? first(["no_proxy", "NO_PROXY"])?.value ?? ""
    return list.split(atAny: ", ").map(String.init).first { entry in
      let name = entry.lowercased().drop(anyOf: ".")
      return entry == "*" || host == name || host.ends(withBytes: ".\(name)")
    }
  }

  private func first(_ names: [String]) -> (name: String, value: String)? {
    names.lazy.compactMap { name in
      environment[name].flatMap { $0.isEmpty ? nil : (name: name, value: $0) }
    }.first
  }
}

extension Context {
  /// What `SSLKEYLOGFILE` makes libcurl do, in words; nil if it is not set.
  var keyLogWords: String? {
    variable("SSLKEYLOGFILE").map {
      "SSLKEYLOGFILE is set: the keys of TLS connections go to \(Escaped.text($0)), and with them tokens on the wire "
        + "can be read"
    }
  }
}
