import AuthCore

extension Reference {
  /// The manual page authctl-profile(5).
  static let profile = Reference(
    name: "profile", manualSection: 5, summary: "configuration of a server and its APIs",
    commands: ["login", "profile"]
  ) {
    [
      Section(
        "DESCRIPTION",
        """
        A profile describes a server and the APIs that may get its tokens. It is the TOML file \
        `$XDG_CONFIG_HOME/authctl/profiles/NAME.toml` (`~/.config` if the variable is not set). The first `login` \
        creates it, or `authctl profile edit NAME`, or you. `login` never rewrites it. NAME has 1 to 64 letters, \
        digits and `. _ -`, and begins with a letter or digit.

        The file contains no secret: passwords, client secrets and tokens are in the keyring, or in the session file, \
        or in files that it names. A file that other users may write, or that belongs to another user except root, is \
        refused, because it decides where tokens go.

        An unknown key or a wrong type is an error with file, line, column and the nearest known key. Durations are \
        `90s`, `15m`, `2h`, `30d`, or a number of seconds. URLs must be https, except on loopback. \
        `authctl profile show NAME` shows the effective settings and checks them.

        `authctl profile new` and `login --template` create it from a template: see TEMPLATES.
        """)
    ] + ProfileKeyTable.all.map(\.section) + [
      templates,
      Section(
        "WITHOUT A KEYRING",
        """
        A service, a container and a CI job have no keyring. Tokens of a person, or refresh tokens, are then kept in a \
        sealed file: see SESSION FILE. A program that acts for itself needs no store: with `store = "none"`, nothing \
        is stored, and each command requests its own token. The flow must be one that can be \
        repeated without a person: `client-credentials`, `jwt-bearer` with `assertion_key`, or the token of a workload \
        (see below).

            issuer                = "https://id.example.com"
            client_id             = "report"
            flow                  = "client-credentials"
            client_authentication = "client_secret_basic"
            client_secret_file    = "credential:report"
            store                 = "none"
            api                   = ["https://api.example.com/v1"]

        - No login is needed. `login` requests a token to check the settings, and writes the profile if it is new. \
          `status` reports `on_demand`, `logout` that nothing is stored.
        - `call`, `token`, `exec` and `refresh` request a token, and another one when it expires or the API refuses \
          it. All requests of one process share it, those of `call --batch` too. Without a `cache`, processes share \
          nothing and wait for no lock: each requests its own token. To share one among the commands of a script, run \
          `authctl exec --env AUTHCTL_ACCESS_TOKEN -- ./script`.
        - Neither D-Bus nor the keyring is used, and without a `cache` no file is written. Secrets that an earlier \
          login has stored stay in the keyring: log out before you set `store`.
        - `token` in `[endpoints]` instead of `issuer` saves the requests for the server's metadata.
        - A refresh token in a response is not kept. With `dpop = true`, each process has a key of its own.

        A systemd service with this profile in `/etc/report/authctl/profiles/report.toml`, which root owns:

            [Service]
            DynamicUser=yes
            Environment=XDG_CONFIG_HOME=/etc/report
            LoadCredential=report:/etc/report/client-secret
            StateDirectory=report
            ExecStart=/usr/local/bin/authctl call -p report -o /var/lib/report/items.json items
        """),
      Section(
        "SESSION FILE",
        """
        With `store = "file"`, everything that a keyring would hold for the profile is in \
        `$XDG_STATE_HOME/authctl/sessions/NAME.session` (`~/.local/state` if the variable is not set): tokens, \
        secrets, and the client that a login has registered. The file has mode 0600 and is sealed with \
        ChaCha20-Poly1305 (RFC 8439) and the key in `store_key`. D-Bus is not used.

            authctl profile new-key ~/.config/authctl/store.key

            issuer    = "https://id.example.com"
            client_id = "cli"
            api       = ["https://api.example.com/v1"]
            store     = "file"
            store_key = "~/.config/authctl/store.key"

        - A program that can read file and key has the tokens. A key on the same disk protects backups and copies of \
          the file alone; in a systemd service, `store_key = "credential:NAME"` with `LoadCredentialEncrypted=` keeps \
          the key out of the file system. There are no passphrases.
        - Everything else is as with a keyring: one process refreshes for all, a logout waits for it, a refused \
          refresh token is not sent again, `status --watch` reports each change.
        - Before a refresh is sent, room for its result is reserved, 1 MiB, in `NAME.session.next`. If the disk is \
          full or read-only, the exit status is 4 and nothing is sent; a valid token is used all the same. The result \
          is written to that file, synchronized, and renamed. If the process is killed before it is renamed, or \
          renaming fails, the tokens are read from there, and the next command that can renames the file; `status` \
          reports them as `rescued`. If the result can't be written, the kernel's memory keeps it, as with a keyring.
        - A key that is missing, unusable or not that of the file, and a file that is truncated, changed, of another \
          profile, user or later version, or that others may read: the exit status is 4, and the message names the \
          file. No command overwrites it, nor sends anything; to start again, remove it and log in. Before you change \
          `store` or the key, log out.

        A service that calls an API for a person; log in once with the same key and folders, for example with \
        `systemd-run --pty` and the same properties:

            [Service]
            User=report
            Environment=XDG_CONFIG_HOME=/etc/report XDG_STATE_HOME=/var/lib/report
            StateDirectory=report
            LoadCredentialEncrypted=store:/etc/report/store.key
            ExecStart=/usr/local/bin/authctl call -p report -o /var/lib/report/items.json items
        """),
      cache,
      Section(
        "WORKLOAD IDENTITY",
        """
        Kubernetes, CI systems and SPIFFE give a job a short-lived token that says what it is. If the authorization \
        server trusts that platform, the token takes the place of a secret: it is exchanged (`token-exchange`, RFC \
        8693), or sent as an assertion (`jwt-bearer`, RFC 7523). `subject_token_file` or `subject_token_command` is \
        read at each token request, because the platform replaces the token. A missing or unreadable file is an error \
        of the profile (exit status 2). If the token is empty or has expired, the exit status is 5 and nothing is \
        sent. A refresh token in the response is not kept. With a store, `login` stores the tokens for all \
        processes, as for other flows; in a job, use `store = "none"`.

        A Kubernetes CronJob; the cluster is an issuer that the server trusts:

            issuer             = "https://id.example.com"
            client_id          = "report"
            flow               = "token-exchange"
            subject_token_file = "/var/run/secrets/tokens/id"
            store              = "none"
            api                = ["https://api.example.com/v1"]

        The profile is in a ConfigMap, and the token is projected. `subPath` mounts the file alone: the folder of a \
        volume may be changed by others, and is refused.

            apiVersion: batch/v1
            kind: CronJob
            metadata: {name: report}
            spec:
              schedule: "0 6 * * *"
              jobTemplate:
                spec:
                  template:
                    spec:
                      restartPolicy: Never
                      containers:
                      - name: report
                        image: registry.example.com/report
                        command: ["authctl", "call", "-p", "report", "items"]
                        env: [{name: XDG_CONFIG_HOME, value: /etc/report}]
                        volumeMounts:
                        - name: profile
                          mountPath: /etc/report/authctl/profiles/report.toml
                          subPath: report.toml
                        - {name: token, mountPath: /var/run/secrets/tokens}
                      volumes:
                      - name: profile
                        configMap: {name: report, defaultMode: 0444}
                      - name: token
                        projected:
                          sources:
                          - serviceAccountToken: {path: id, audience: "https://id.example.com"}

        GitHub Actions issues the token by a request. The profile is in the repository, as \
        `config/authctl/profiles/report.toml`:

            issuer    = "https://id.example.com"
            client_id = "report"
            flow      = "token-exchange"
            subject_token_command = ["sh", "-c", \"""
              printf 'Authorization: bearer %s' "$ACTIONS_ID_TOKEN_REQUEST_TOKEN" |
                curl -sSf -H @- "$ACTIONS_ID_TOKEN_REQUEST_URL&audience=https://id.example.com" | jq -r .value\"""]
            store     = "none"
            api       = ["https://api.example.com/v1"]

        The workflow, on a runner with `authctl`:

            on: {schedule: [{cron: "0 6 * * *"}]}
            permissions: {contents: read, id-token: write}
            jobs:
              report:
                runs-on: self-hosted
                steps:
                - uses: actions/checkout@v4
                - run: authctl call -p report items
                  env: {XDG_CONFIG_HOME: "${{ github.workspace }}/config"}

        GitLab CI puts the token into a variable. The profile, in the repository as well:

            issuer    = "https://id.example.com"
            client_id = "report"
            flow      = "token-exchange"
            subject_token_command = ["printenv", "ID_TOKEN"]
            store     = "none"
            api       = ["https://api.example.com/v1"]

        The job. The runner leaves the files of a repository, and the folders above it, writable to all users; such a \
        profile is refused, so the job copies it:

            report:
              image: registry.example.com/report
              id_tokens: {ID_TOKEN: {aud: "https://id.example.com"}}
              variables: {XDG_CONFIG_HOME: /tmp/config}
              script:
              - cp -R config $XDG_CONFIG_HOME && chmod -R go-w $XDG_CONFIG_HOME
              - authctl call -p report items
        """),
      Section(
        "EXAMPLES",
        """
        A server with discovery:

            issuer    = "https://id.example.com"
            client_id = "cli"
            scope     = ["openid", "offline_access"]
            api       = ["https://api.example.com/v1"]

        A server with requests of its own:

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

        HTTP Basic; `login` prompts for the password and stores it in the keyring:

            type     = "basic"
            username = "alice"
            api      = ["https://api.example.com"]
        """),
    ]
  }
}

extension Reference {
  /// The section about the templates, generated from their files.
  private static var templates: Section {
    let items = ProfileTemplate.all.map { template in
      let fields = template.fields.map { field in
        let standard = field.standard.map { " (unless given, `\($0)`)" } ?? ""
        return "`\(field.option)` is \(field.meaning)\(standard)"
      }
      return "- `\(template.name)`: \(template.title). \(fields.joined(separator: "; "))."
    }
    return Section(
      "TEMPLATES",
      """
      `authctl login NAME --template TEMPLATE` creates a profile from one of these templates after the login has \
      succeeded; `authctl profile new NAME --template TEMPLATE` only creates it. Settings that a server publishes are \
      not in the templates. Other options change or add keys. Comments in the file explain how to register a client.

      \(items.joined(separator: "\n"))
      """)
  }
}

extension ProfileKeyTable {
  /// The table as a section of the manual page.
  var section: Section {
    let title = name.isEmpty ? "TOP-LEVEL KEYS" : "[\(name.uppercased())]"
    let items = keys.filter { !$0.meaning.isEmpty }.map { key in
      name.isEmpty && key.types != types ? "\(key.markup) \(ProfileKeyTable.note(key.types))" : key.markup
    }
    let note = types == ProfileType.allCases ? "" : "\n\n" + ProfileKeyTable.note(types)
    return Section(title, "\(text)\(note)\n\n" + items.joined(separator: "\n"))
  }

  private static func note(_ types: [ProfileType]) -> String {
    "For type \(types.map { "`\($0.rawValue)`" }.joined(separator: " and "))."
  }
}

extension ProfileKey {
  /// The key as an item of the manual page.
  fileprivate var markup: String {
    let standard = types.first.flatMap { self.standard(in: $0) }.map { " Default: `\($0.toml)`." } ?? ""
    return "- `\(name)`: \(words.prefix(1).uppercased() + words.dropFirst()). \(meaning)\(standard)"
  }
}
