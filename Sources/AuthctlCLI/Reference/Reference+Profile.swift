import AuthCore

extension Reference {
  /// authctl-profile(5)
  static let profile = Reference(
    name: "profile", manualSection: 5, summary: "the file that describes a server and a session",
    commands: ["login", "profile"]
  ) {
    [
      Section(
        "DESCRIPTION",
        """
        A profile says where tokens are got and where they may go. It is a TOML file, \
        `$XDG_CONFIG_HOME/authctl/profiles/NAME.toml` (`~/.config` where the variable is unset), made by the first \
        `login`, by `authctl profile edit NAME`, or by hand, and never rewritten by `login`. NAME has 1 to 64 letters, \
        digits and `. _ -`, and begins with a letter or digit.

        No secret is ever in it: passwords, client secrets and tokens are in the keyring. A file that other users may \
        change, or that belongs to another user than root, is refused: it decides where tokens go.

        It is read strictly: an unknown key or a wrong type is an error with file, line, column and the nearest known \
        key. Durations are written as `90s`, `15m`, `2h`, `30d`, or in plain seconds. URLs must be `https`, but for \
        this machine itself.

        Complete files for many servers are installed with the program, in the folder `profiles` of its documentation \
        (`share/doc`).
        """)
    ] + ProfileKeyTable.all.map(\.section) + [
      Section(
        "EXAMPLES",
        """
        A server with discovery:

            issuer    = "https://id.example.com"
            client_id = "cli"
            scope     = ["openid", "offline_access"]
            api       = ["https://api.example.com/v1"]

        One with requests of its own:

            type = "custom"
            base = "https://your-api.example/v1"
            api  = ["https://your-api.example"]

            [requests.login]
            url  = "/auth/login"
            json = { username = "{username}", password = "{password}" }

            [requests.refresh]
            url  = "/auth/refresh"
            json = { refreshToken = "{refresh_token}" }

            [response]
            access_token  = "/accessToken"
            refresh_token = "/refreshToken"

        One with HTTP Basic; the password is asked for by `login` and kept in the keyring:

            type     = "basic"
            username = "alice"
            api      = ["https://api.example.com"]
        """)
    ]
  }
}

extension ProfileKeyTable {
  /// The table as a part of the manual's page.
  var section: Section {
    let title = name.isEmpty ? "TOP-LEVEL KEYS" : "[\(name.uppercased())]"
    let items = keys.map { key in
      name.isEmpty && key.kinds != kinds ? "\(key.markup) \(ProfileKeyTable.note(key.kinds))" : key.markup
    }
    let note = kinds == ProfileType.allCases ? "" : "\n\n" + ProfileKeyTable.note(kinds)
    return Section(title, "\(text)\(note)\n\n" + items.joined(separator: "\n"))
  }

  private static func note(_ kinds: [ProfileType]) -> String {
    "For type \(kinds.map { "`\($0.rawValue)`" }.joined(separator: " and "))."
  }
}
