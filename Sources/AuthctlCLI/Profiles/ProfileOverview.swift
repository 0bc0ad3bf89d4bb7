import AuthCore

/// The effective settings of a profile, and the source of each.
struct ProfileOverview: Sendable {
  /// The source of a setting.
  enum Source: Sendable, Equatable {
    /// The profile's file, in this line.
    case file(line: Int)
    /// A document of the server.
    case discovery(WebURL)
    /// The keyring: the client that a login has registered or used.
    case keyring
    /// The default, because neither the file nor the server states a value.
    case standard

    /// The source as a word for JSON.
    var word: String {
      switch self {
      case .file: "file"
      case .discovery: "discovery"
      case .keyring: "keyring"
      case .standard: "default"
      }
    }

    /// The source as text.
    var text: String {
      switch self {
      case .file(let line): "line \(line)"
      // The addresses of the documents are below.
      case .discovery(let url) where url.path.contains(bytes: "/oauth-authorization-server"): "RFC 8414"
      case .discovery(let url): url.path.contains(bytes: "/openid-configuration") ? "OpenID Connect" : "discovery"
      case .keyring: "keyring"
      case .standard: "default"
      }
    }
  }

  /// A setting with its key, value and source.
  struct Setting: Sendable {
    let key: String
    let value: JSONValue
    let source: Source
  }

  /// The metadata names of a profile's endpoints (RFC 8414, section 2; OpenID Connect Discovery, section 3; RFC 8628,
  /// section 4; RFC 9126, section 5).
  static let endpoints = [
    ("authorization", "authorization_endpoint"), ("token", "token_endpoint"),
    ("device_authorization", "device_authorization_endpoint"), ("revocation", "revocation_endpoint"),
    ("introspection", "introspection_endpoint"), ("userinfo", "userinfo_endpoint"),
    ("pushed_authorization_request", "pushed_authorization_request_endpoint"), ("jwks", "jwks_uri"),
  ]

  /// The settings except endpoints: the file's in their order, then the defaults.
  let settings: [Setting]
  /// The known endpoints.
  let endpoints: [Setting]

  /// Creates the overview.
  ///
  /// - Parameters:
  ///   - report: nil if the server's metadata was not fetched.
  ///   - clientID: the client ID that is only in the keyring.
  init(_ outline: ProfileOutline, _ report: DiscoveryReport?, clientID: String? = nil) {
    let kind = outline["type"]?.string.flatMap { ProfileType(rawValue: $0) } ?? .oauth2
    let stated = outline.entries.map {
      Setting(key: $0.key, value: ProfileOverview.shown($0.value, at: $0.path), source: .file(line: $0.line))
    }
    let standard = ProfileKey.all.compactMap { key -> Setting? in
      guard key.types.contains(kind), outline[key.path] == nil, let value = key.standard(in: kind) else { return nil }
      return Setting(key: key.path, value: value, source: .standard)
    }
    let client = clientID.map { Setting(key: "client_id", value: .string($0), source: .keyring) }
    settings = stated.filter { !$0.key.starts(withBytes: "endpoints.") } + (client.map { [$0] } ?? []) + standard
    endpoints = ProfileOverview.endpoints.compactMap { name, member in
      if let own = stated.first(where: { $0.key == "endpoints.\(name)" }) { return own }
      guard let found = report?.string(member) else { return nil }
      return Setting(key: "endpoints.\(name)", value: .string(found.value), source: .discovery(found.from))
    }
  }

  /// Returns the value of an entry. A secret does not belong in a profile; if the file contains one, it is redacted.
  private static func shown(_ value: JSONValue, at path: [String]) -> JSONValue {
    switch value {
    case .array(let values): return .array(values.map { shown($0, at: path) })
    case .object(let members):
      return .object(Dictionary(uniqueKeysWithValues: members.map { ($0, shown($1, at: path + [$0])) }))
    case .string(let text):
      let mark = Secret(text).description
      guard !isSecret(text, at: path) else { return .string(mark) }
      if path.last == "proxy" { return .string(ProxySettings.withoutUserInformation(text, mark: mark + "@")) }
      return .string(SecretText.redacted(text))
    default: return value
    }
  }

  /// Returns whether a free-form field has the name of a secret: in `[parameters]`, and in the parts of a request.
  static func isSecret(_ entry: ProfileOutline.Entry) -> Bool {
    entry.value.string.map { isSecret($0, at: entry.path) } ?? false
  }

  private static func isSecret(_ value: String, at path: [String]) -> Bool {
    let isFree = path.first == "parameters" || path.first == "requests"
    guard isFree, let name = path.last else { return false }
    // "{password}" is a placeholder, and "/token" in `url` is a path; neither is a secret.
    return SecretNames.isSecret(name) && !value.contains(bytes: "{") && !value.starts(withBytes: "/")
  }

  /// Returns the value of a setting or an endpoint as text; nil if there is none.
  func string(_ key: String) -> String? { (settings + endpoints).first { $0.key == key }?.value.string }
}
