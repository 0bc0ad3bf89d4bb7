extension ProfileTemplate {
  /// The files of the folder Templates, which are built into the program.
  private static let files: [(name: String, bytes: @Sendable () -> [UInt8])] = [
    ("oidc", { PackageResources.oidc_toml }),
    ("keycloak", { PackageResources.keycloak_toml }),
    ("auth0", { PackageResources.auth0_toml }),
    ("okta", { PackageResources.okta_toml }),
    ("microsoft", { PackageResources.microsoft_toml }),
    ("google", { PackageResources.google_toml }),
    ("github", { PackageResources.github_toml }),
    ("github-app", { PackageResources.github_app_toml }),
    ("gitlab", { PackageResources.gitlab_toml }),
    ("dex", { PackageResources.dex_toml }),
    ("authentik", { PackageResources.authentik_toml }),
    ("oauth2-endpoints", { PackageResources.oauth2_endpoints_toml }),
    ("client-credentials", { PackageResources.client_credentials_toml }),
    ("private-key-jwt", { PackageResources.private_key_jwt_toml }),
    ("basic", { PackageResources.basic_toml }),
    ("json-pair", { PackageResources.json_pair_toml }),
    ("retry-on-401", { PackageResources.retry_on_401_toml }),
    ("success-flag", { PackageResources.success_flag_toml }),
    ("register-nested", { PackageResources.register_nested_toml }),
    ("guest-envelope", { PackageResources.guest_envelope_toml }),
  ]

  /// The names of all templates, in the order of the manual.
  static let names = files.map(\.name)

  /// All templates, in the order of the manual.
  static var all: [ProfileTemplate] { names.compactMap { named($0) } }

  /// Returns the template with a name; nil if there is none.
  static func named(_ name: String) -> ProfileTemplate? {
    files.first { $0.name == name }.map { ProfileTemplate(name, String(decoding: $0.bytes(), as: UTF8.self)) }
  }
}
