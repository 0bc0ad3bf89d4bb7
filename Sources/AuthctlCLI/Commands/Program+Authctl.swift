extension Program {
  /// The table of commands and options of authctl.
  static let authctl = Program(
    name: ProgramName.standard.text, version: currentVersion, date: "2026-11-22",
    summary: "log in once, then call protected APIs",
    description: """
      `authctl` gets OAuth tokens, stores them in the desktop keyring, and sends them with your requests. It refreshes \
      them before they expire or when an API refuses them, so that neither a person nor a script has to.

          authctl login https://api.example.com/v1
          authctl call me

      The first command finds the authorization server of the API, registers a client there, and logs in with the \
      browser. authctl-login(1) shows the options for servers that publish no metadata.

      Data goes to standard output, everything else to standard error. Only `login` opens a browser. `login`, `keyring \
      unlock` and `profile` ask questions, at a terminal only.
      """,
    globalOptions: [.profile, .quiet, .verbose, .nonInteractive, .color, .errors, .help, .version],
    leading: [.profile, .verbose, .help], firstStep: "authctl login URL",
    commands: RunnableCommand.all.map(\.command),
    sections: [
      Section(
        "EXIT STATUS",
        """
        - `0`: success.
        - `1`: anything not below: output could not be written, or a bug.
        - `2`: invalid command line or profile, or no profile to work on.
        - `3`: log in: no tokens, or the refresh token is missing, expired, revoked or refused.
        - `4`: the keyring is locked, absent, or refuses, or the session file can't be used; nothing was sent.
        - `5`: retry later: network, TLS, timeout, 5xx or 429 of the authorization server, lock deadline.
        - `6`: the authorization server refuses for another reason, or its response is unusable.
        - `7`: the token would have gone to an origin that is not the profile's.
        - `22`: `call`: the API returned 400 or more; `--no-fail` makes it 0.
        - `126`, `127`: `exec`: the command can't be run; there is no such command.
        - `129`, `130`, `131`, `143`: hang-up, interrupt, quit, termination. A running refresh is still completed.
        """),
      Section(
        "PROFILES",
        """
        A profile describes a server and a session. It is a TOML file without secrets, created by the first `login` or \
        by hand. authctl-profile(5) documents every key.

            issuer    = "https://id.example.com"
            client_id = "cli"
            flow      = "browser"
            scope     = ["openid", "offline_access"]
            api       = ["https://api.example.com/v1"]

        A command works on the profile named by `--profile`, else by `AUTHCTL_PROFILE`; else, for `call` with a full \
        URL, on the profile whose `api` has the URL's origin; else on the one with `default = true`; else on the only \
        one. If more than one is left, the error names them.
        """),
      Section(
        "KEYRING",
        """
        One keyring item per profile holds both tokens, so that they are always replaced together. Its attributes are \
        `application=authctl`, `profile=NAME` and `kind=tokens`, and `change`, which numbers the changes for `status \
        --watch`. Other tools can read it; this prints the tokens:

            secret-tool lookup application authctl profile work kind tokens | jq .

        Other secrets have items of their own: the client secret (`kind=client-secret`), the client's private key \
        (`kind=key`), the DPoP key (`kind=dpop-key`), and the password of a profile of type `basic` \
        (`kind=password`). The item of a client secret or private key is a JSON object: `secret` is the secret, \
        `server` names the issuer, client and token endpoint that it was given for. It is sent to no other server. \
        Items of earlier versions hold the bare secret; they belong to the server of the tokens stored beside them.
        """),
      Section(
        "REFRESH",
        """
        Every process reads the tokens from the keyring and uses a valid access token as it is. To refresh it, a \
        process takes the profile's lock, a file that the kernel unlocks when its holder ends, and reads the tokens \
        again: if another process has refreshed meanwhile, its result is used. So any number of processes with an \
        expired or refused token cause one refresh. A network failure changes nothing that is stored, and a token that \
        is still valid is used even if its refresh fails. A request waits at most two seconds for the refresh of such \
        a token, and the command ends with its response.

        Most servers accept a refresh token only once. A pair that is refreshed but not stored would end the session. \
        authctl prevents that:

        - Before anything is sent, the keyring item is marked (`a refresh began at …`). This proves that the keyring \
          can be written. If it refuses, the exit status is 4 and the tokens are unchanged.
        - The request is made by a second `authctl` process in a session of its own, which holds the lock. Ctrl-C, a \
          closed terminal or SIGKILL end your command at once; the refresh is completed and stored.
        - If the power fails in between, the mark remains. The next run reports it and tries the old refresh token \
          again, because many servers accept it for a short time. If that is refused, the message gives the cause.
        - If the keyring refuses after the refresh, the new pair is kept in the kernel's memory (keyrings(7)), which \
          no other user can read and which is never written to disk. The next command that can stores it. A command \
          that was to refresh only exits with 4, `call` and others continue with the new token, and `status` reports \
          where the tokens are. They are kept for three days after the last access; a reboot loses them. If the kernel \
          has no key storage, as in most containers, storing is retried a few times instead.
        - With `store = "file"`, room for the new pair is reserved before anything is sent, and the pair is written \
          there: see SESSION FILE in authctl-profile(5).
        - A refresh token that the server has refused is not sent again. A server that has failed is not asked again \
          for two seconds, or for as long as its `Retry-After` says, at most 15 minutes; all waiting processes share \
          the failure.
        - A logout waits for a running refresh. A refresh that began before a logout never restores the session: its \
          tokens are revoked.

        If an API refuses a token right after its refresh, this is stored with the token: for five minutes, or until \
        another token is stored, further refusals of it cause no refresh.

        A service manager or container that kills all processes of a job when the main one ends can also kill the \
        second process. That is why `authctl` waits for it before it exits. If the command has used a still valid \
        token meanwhile, it waits only under systemd (`INVOCATION_ID` is set) or as process 1, for at most two \
        seconds more.

        The lock works for one user on one machine. Two machines must not share one refresh token.
        """),
      Section(
        "TRACE FILES",
        """
        `--trace FILE` of `login`, `call`, `refresh`, `exec` and `logout` records the flow: each HTTP request with its \
        response and the time of each phase, those of a background refresh included, and each step of the session. \
        The extension of FILE selects the format; the option can be given several times:

        - `.har`: the requests as an HTTP archive (HAR 1.2), for the developer tools of a browser. `_process` is the \
          process that sent a request, `_background` is true for the background refresh, `_role` is `server` for the \
          authorization server and `api` for the API.
        - `.html`: a page with the command line, the outcome in one line, and a sequence diagram. Click a request to \
          see its header fields, bodies and timings, a token to follow it and to see the claims of a JWT. In the \
          command line, `‹…›` replaces values that may be secrets. The page has no script and loads nothing.
        - `.mmd`: the diagram for Mermaid, as issues and wikis draw it.
        - `.jsonl`: requests and steps in the order in which they were completed, one JSON object a line. All have \
          `number`, `time`, `offset_ms`, `process` and `background`; a request has `role`, `request`, `response` or \
          `failure`, and `timings_ms`; a step of the session has `event`, `text` and `details`; another step `note`, \
          that of the browser also `authorization_request`.
        - `-` instead of a name: the diagram, drawn on standard error at the end.

        A diagram has the first 300 steps; the other formats have all, and are written as the steps are completed, so \
        that the memory does not grow with the number of requests. A file is complete even if the command fails or a \
        signal ends it (except SIGKILL); an incomplete request has the reason in `failure`. `exec` completes it before \
        the command starts. An existing file is replaced, unless an option, standard output or another process uses \
        it at the same time: then nothing is sent. If a file can't be written any more, there is a warning, and the \
        exit status is that of the command.

        Times count from the start of the program, as with `-v`. The time of a request does not include the wait for \
        its token. Of a body the first 64 KiB are recorded if it is text, and of others the size. A body from a pipe, \
        a multipart form, and the responses of a proxy to CONNECT are not recorded.

        Secrets are replaced, so that the file can be attached to a bug report: a token by its type, its length and a \
        fingerprint, as with `-v`; a password, a client secret or a code that a person types as `‹redacted›` only. An \
        API may return personal data, which is not replaced; secrets that it returns are recognized by their usual \
        names and forms, and known ones wherever they are. With `--trace-secrets`, everything is recorded as it is.
        """),
      Section(
        "SECURITY",
        """
        - At rest, tokens are in the keyring, which encrypts them with its password, or, if the profile says so, in a \
          file that is sealed with its own key. There is no plain-text fallback: without the keyring or the key, \
          nothing is stored, and the exit status is 4.
        - Between keyring and `authctl`, libsecret encrypts what goes over D-Bus (Diffie-Hellman and AES-128), if the \
          keyring supports it, as gnome-keyring does.
        - On the wire, tokens go over verified TLS (plain http to loopback only), to the origins of the profile only, \
          and never along a redirect to another origin. Redirects of the token endpoint are refused.
        - Tokens and client secrets are bound to the issuer, the client and the origin of the token endpoint that they \
          came from or were given for. If the profile names another server, nothing of the old one is sent to it \
          (exit status 3); `logout` revokes at the old server.
        - Files that others can change are refused: a profile that others may write, or that belongs to another user; \
          and a file with a key, a password or a client secret that others may read. So are those below a folder that \
          others may write, unless it is sticky and root's, and what is not a regular file.
        - Secrets are never in arguments, messages, logs or profiles. `token` prints the token, because you ask for it.
        - In memory, tokens exist while `authctl` runs; it writes no core file. Memory is not locked against swapping. \
          Large request bodies are spooled to files without a name. The program is position-independent, with full \
          RELRO; its C code has stack protection and FORTIFY.

        Not protected: from other processes of the same user while the keyring is unlocked, because the Secret Service \
        answers all of them; and from root. Your other processes can read a token in `AUTHCTL_ACCESS_TOKEN` from the \
        environment.
        """),
      Section(
        "ENVIRONMENT",
        """
        - `AUTHCTL_PROFILE`: the profile to use if none is named.
        - `AUTHCTL_ACCESS_TOKEN`: an access token that `call`, `token` and `exec` use as it is, as in CI without a \
          keyring. Nothing is read, stored or refreshed. If a profile is named, the token goes to that profile's \
          origins only, else to the origin of the URL, which must be https or loopback; in a batch, to the origin of \
          its first line.
        - `AUTHCTL_TOKEN`: set by `exec` for its command.
        - `AUTHCTL_ERRORS`: `json` reports errors as JSON.
        - `XDG_CONFIG_HOME`, `XDG_STATE_HOME`: the folders of profiles and locks; `~/.config` and `~/.local/state` \
          unless set.
        - `HOME`: what `~` stands for; the home directory in the password database unless set. A user without an entry \
          there needs `HOME`, or the two variables above (exit status 2).
        - `DBUS_SESSION_BUS_ADDRESS`: the D-Bus session bus of the keyring. Unless set, the bus at \
          `$XDG_RUNTIME_DIR/bus` or `/run/user/UID/bus` is used.
        - `CREDENTIALS_DIRECTORY`: the folder of a systemd service's credentials, set by systemd. Settings of a \
          profile can name them, and `keyring unlock` uses `authctl-keyring`.
        - `BROWSER`: the program that opens the login page.
        - `NO_COLOR`: disables colours.
        - `http_proxy`, `https_proxy`, `no_proxy`, `SSL_CERT_FILE`: as in curl.
        - `SSLKEYLOGFILE`: as in curl, the file that gets the keys of TLS connections. Who reads it can read tokens on \
          the wire: `doctor` warns, and `-v` reports it.
        - `TMPDIR`: the folder for large bodies from pipes; `/var/tmp` unless set.
        """),
      Section(
        "FILES",
        """
        - `~/.config/authctl/profiles/NAME.toml`: a profile; see authctl-profile(5).
        - `~/.config/authctl/config.toml`: optional. Its only key is `client_metadata_url`; see \
        authctl-profile(1). The rules for profiles apply to it.
        - `~/.local/state/authctl/drafts/NAME.toml`: an unfinished copy from `profile edit`.
        - `~/.local/state/authctl/locks/NAME.lock`: the lock of a profile. It may exist without being locked. It also \
        has the number by which cached tokens are valid, and the last failure.
        """),
    ], references: [.profile])
}

extension ProgramName {
  /// Derives the name of authctl from the path that ran it (`argv[0]`).
  package init(calledBy path: String?) {
    self.init(calledBy: path, commands: Program.authctl.commands.map(\.name))
  }
}
