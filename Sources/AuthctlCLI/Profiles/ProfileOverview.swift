import AuthCore

/// All that holds for a profile, and where each part of it comes from.
struct ProfileOverview: Sendable {
  /// Where a setting comes from.
  enum Source: Sendable, Equatable {
    /// The profile's file, in this line.
    case file(line: Int?)
    /// A document of the server.
    case discovery(WebURL)
    /// The default, because neither the file nor the server states a value.
    case standard

    /// The word for it in JSON.
    var word: String {
      switch self {
      case .file: "file"
      case .discovery: "discovery"
      case .standard: "default"
      }
    }

    /// The words for people.
    var text: String {
      switch self {
      case .file(let line): line.map { "line \($0)" } ?? "file"
      case .discovery(let url): "discovery: \(url)"
      case .standard: "default"
      }
    }
  }

  /// A setting: its key, its value, where it comes from.
  struct Setting: Sendable {
    let key: String
    let value: JSONValue
    let source: Source
  }

  /// What a document calls the endpoints of a profile (RFC 8414, section 2; OpenID Connect Discovery, section 3;
  /// RFC 8628, section 4; RFC 9126, section 5).
  static let endpoints = [
    ("authorization", "authorization_endpoint"), ("token", "token_endpoint"),
    ("device_authorization", "device_authorization_endpoint"), ("revocation", "revocation_endpoint"),
    ("introspection", "introspection_endpoint"), ("userinfo", "userinfo_endpoint"),
    ("pushed_authorization_request", "pushed_authorization_request_endpoint"), ("jwks", "jwks_uri"),
  ]

  /// The settings that are no endpoints: the file's in its order, then what holds without it.
  let settings: [Setting]
  /// The endpoints that are known.
  let endpoints: [Setting]

  /// Puts it together; `report` is nil where the server was not asked.
  init(_ outline: ProfileOutline, _ report: DiscoveryReport?) {
    let kind = outline["type"]?.string.flatMap { ProfileType(rawValue: $0) } ?? .oauth2
    let stated = outline.entries.map {
      Setting(key: $0.key, value: ProfileOverview.shown($0), source: .file(line: $0.line))
    }
    let standard = ProfileKey.all.compactMap { key -> Setting? in
      guard key.types.contains(kind), outline[key.path] == nil, let value = key.standard(in: kind) else { return nil }
      return Setting(key: key.path, value: value, source: .standard)
    }
    settings = stated.filter { !$0.key.hasPrefix("endpoints.") } + standard
    endpoints = ProfileOverview.endpoints.compactMap { name, member in
      if let own = stated.first(where: { $0.key == "endpoints.\(name)" }) { return own }
      guard let found = report?.string(member) else { return nil }
      return Setting(key: "endpoints.\(name)", value: .string(found.value), source: .discovery(found.from))
    }
  }

  /// The value of an entry. A secret doesn't belong into a profile; one that is there all the same is not shown.
  private static func shown(_ entry: ProfileOutline.Entry) -> JSONValue {
    guard !isSecret(entry) else { return .string("‹redacted›") }
    guard case .string(let text) = entry.value else { return entry.value }
    return .string(SecretText.redacted(text))
  }

  /// Whether a free field has the name of a secret: in `[parameters]`, and in the headers of a request.
  static func isSecret(_ entry: ProfileOutline.Entry) -> Bool {
    let isFree = entry.path.first == "parameters" || entry.path.first == "requests"
    guard isFree, let name = entry.path.last?.lowercased(), let value = entry.value.string else { return false }
    let isTelling = ["secret", "password", "token", "api_key", "api-key", "apikey", "authorization"].contains {
      name.contains($0)
    }
    // "{password}" is a placeholder and no secret, "/token" in `url` is a path.
    return isTelling && !value.contains("{") && !value.hasPrefix("/")
  }

  /// The value of a setting or an endpoint as text; nil where there is none.
  func string(_ key: String) -> String? { (settings + endpoints).first { $0.key == key }?.value.string }
}
