extension Reference {
  /// The section about the cache of the access token.
  static let cache = Section(
    "CACHE",
    """
    Each command reads the keyring, which takes most of its time. With `cache = "30s"`, or `--cache 30s` of `call`, \
    `token` and `exec`, the access token is reused from the kernel's memory (keyrings(7)) for that time, even if the \
    keyring is locked meanwhile. A command that reuses it needs neither D-Bus nor the keyring. The refresh token is \
    never cached.

    - The time begins when the token is read from the keyring, and nothing prolongs it; the longest is `5m`. It ends \
      earlier if the token is due for a refresh (`refresh_before`). Setting the system clock does not change it.
    - A login, a logout, a refresh, and a 401 for the token make the cached token invalid at once, for all processes \
      of the user, in any session. So does each change of the profile's file. Another value of `--cache` does \
      not: a token that was cached for longer is reused if it is not older than this value.
    - Only processes of the same user can read the key. Its name is a hash.
    - With `store = "none"`, processes share the cached token, and of many that start at once only one requests it.
    - If the kernel stores no keys, as in most containers, or has no space for another one, nothing is cached; `-v` \
      logs why.
    - Tokens with `dpop`, passwords (`type = "basic"`), and the token of `AUTHCTL_ACCESS_TOKEN` are not cached.
    """)
}
