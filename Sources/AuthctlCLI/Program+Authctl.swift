extension Program {
  /// The table of authctl.
  static let authctl = Program(
    name: "authctl", version: "0.1.0", date: "2026-11-21",
    summary: "log in once, call protected APIs ever after",
    description: """
      `authctl` gets OAuth tokens, keeps them in the desktop's keyring, and sends them with requests. It renews them \
      before they expire or when an API refuses them, one process for all, so that neither a person nor a script has \
      to think of them again.

      Data goes to standard output, everything else to standard error. Only `login` asks questions or opens a browser.
      """,
    globalOptions: [.profile, .quiet, .verbose, .nonInteractive, .color, .errors, .help, .version],
    commands: [.login, .call, .refresh, .logout, .status, .token, .exec, .profile],
    sections: [
      Section(
        "EXIT STATUS",
        """
        - `0`: ok.
        - `1`: anything not below: output could not be written, a bug.
        - `2`: the command line or the profile must be mended.
        - `3`: a person must log in: no tokens, or the refresh token is missing, expired, revoked or refused.
        - `4`: the keyring is locked, absent, or refuses; nothing was sent.
        - `5`: try later: network, TLS, time-out, 5xx or 429 of the authorization server, a renewal that does not end.
        - `6`: the authorization server refuses for another reason, or answers nonsense.
        - `7`: the token would have gone to an origin that is not the profile's.
        - `22`: `call`: the API answered 400 or more; `--no-fail` makes it 0.
        - `126`, `127`: `exec`: the command can't be run; there is no such command.
        - `129`, `130`, `131`, `143`: hang-up, interrupt, quit, termination, after a running refresh was brought to its end.
        """),
      Section(
        "PROFILES",
        """
        A profile is a TOML file, made by the first `login` or by hand. It holds no secret. authctl-profile(5) is its \
        whole reference.

            issuer    = "https://id.example.com"
            client_id = "cli"
            flow      = "browser"
            scope     = ["openid", "offline_access"]
            api       = ["https://api.example.com/v1"]

        Every option of `login` that sets something of a profile is a key with underscores for dashes. Beyond them \
        there are tables:

        - `[header]`: `name` and `prefix` of the field that carries the token.
        - `[endpoints]`: `authorization`, `device_authorization`, `token`, `revocation`, \
          `pushed_authorization_request`, `jwks`: instead of, or on top of, discovery.
        - `[parameters]`: the tables `authorization`, `token` and `refresh` of further form fields (`prompt`, \
          `login_hint`, `acr_values`, `max_age`, …), and `assertion` of further claims of the jwt-bearer flow's \
          assertion. What `authctl` sends itself can't be set there.
        - `[network]`: `cacert`, `proxy`, `client_certificate`, `client_key`, `connect_timeout`, `timeout`. With \
          `client_authentication = "tls_client_auth"` the certificate is also how the client proves who it is.
        - `[on]`: `login_required`, a shell command that is run once when a session has died. It finds \
          `AUTHCTL_PROFILE` and `AUTHCTL_ERROR` in its environment, never a token.
        """),
      Section(
        "KEYRING",
        """
        One item a profile holds both tokens, so that they are replaced in one piece. Its attributes are \
        `application=authctl`, `profile=NAME` and `kind=tokens`, so that other tools can read it:

            secret-tool lookup application authctl profile work kind tokens | jq -r .access_token

        What belongs to it are items of their own: a client's secret with `kind=client-secret`, its private key with \
        `kind=key`, the key of a profile with `dpop` with `kind=dpop-key`, the password of one of type `basic` with \
        `kind=password`. A client's secret or private key is the member `secret` of a JSON object, whose member \
        `server` names the issuer, client and token endpoint that it was given for: it is sent to no other. An item \
        of an earlier version, which holds the bare secret, belongs to the server of the tokens stored beside it.
        """),
      Section(
        "RENEWAL",
        """
        Of all processes of a user one renews a profile's tokens, under the profile's lock; the others wait for it and \
        use what it has got, or share its failure. Before anything is sent the item in the keyring is marked, which \
        shows that the result can be stored. The exchange is then made by a second `authctl` in a session of its own: \
        neither a signal nor the end of the terminal or of the first process breaks it off.

        Where the keyring refuses after the exchange, the new pair is kept in the kernel's memory (keyrings(7)), for \
        three days from the last look and until the machine is restarted, and the next command that can puts it back. \
        A command that was to renew only ends with 4 then, others go on with the new token.

        If an API refuses the refreshed token, too, this is remembered with the token: for five minutes, or until \
        another token is stored, a refusal of it causes no further refresh.

        With a token that is due for a refresh but still valid, a request waits two seconds for the new one at the \
        most, and the command ends with its response. Under systemd (`INVOCATION_ID` is set) it gives the second \
        `authctl` two more seconds, since a service manager ends the whole service with its main process.

        If both are killed, or the power fails, the mark stays: the next run says so and tries the old refresh token \
        once more. A server that has failed for the moment is asked again after two seconds, or when its `Retry-After` \
        allows it, 15 minutes later at the most.
        """),
      Section(
        "ENVIRONMENT",
        """
        - `AUTHCTL_PROFILE`: the profile where none is named.
        - `AUTHCTL_ACCESS_TOKEN`: used as it is by `call`, `token` and `exec`; nothing is read, stored or refreshed. \
          With a named profile it goes to that profile's origins only, else to the URL's own origin.
        - `AUTHCTL_TOKEN`: what `exec` sets for the command.
        - `AUTHCTL_ERRORS`: `json` for errors as JSON.
        - `XDG_CONFIG_HOME`, `XDG_STATE_HOME`: where profiles and locks are.
        - `DBUS_SESSION_BUS_ADDRESS`: the bus on which the keyring is; without it, the user's bus is looked for.
        - `BROWSER`: what opens the page of a login.
        - `NO_COLOR`: no colours.
        - `http_proxy`, `https_proxy`, `no_proxy`, `SSL_CERT_FILE`: as in curl.
        - `TMPDIR`: where large bodies from pipes are spooled; `/var/tmp` without it.
        """),
      Section(
        "FILES",
        """
        - `~/.config/authctl/profiles/NAME.toml`: a profile; `authctl-profile(5)` tells what is in it.
        - `~/.local/state/authctl/drafts/NAME.toml`: what `profile edit` has not finished.
        - `~/.local/state/authctl/locks/NAME.lock`: its lock; being there means nothing.
        """),
    ], references: [.profile])
}
