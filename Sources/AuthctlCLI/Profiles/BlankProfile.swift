import AuthCore

/// The initial text of `profile edit` for a new profile.
enum BlankProfile {
  /// Returns the text for a profile with this name. It is a valid profile for a server that does not exist.
  static func text(_ name: ProfileName) -> String {
    """
    # The profile \(name). Replace the values with those of your server; lines that begin with # are comments.
    # authctl-profile(5) documents every key; authctl profile show \(name) checks the result.

    # The server. If it has no metadata, set [endpoints] below instead.
    issuer = "https://id.example.com"

    # The client ID, as registered at the server.
    client_id = "cli"

    # How to log in: browser, device, password, client-credentials, token, …
    flow = "browser"

    # The scope to request. Many servers issue a refresh token only for offline_access.
    scope = ["openid", "offline_access"]

    # The APIs that may get the token. The first is the base of relative paths.
    api = ["https://api.example.com/v1"]

    # For a confidential client; login stores its secret in the keyring.
    # client_authentication = "client_secret_basic"

    # As registered, if the server requires an exact match.
    # redirect_uri = "http://127.0.0.1:8085/callback"

    # [endpoints]
    # authorization = "https://id.example.com/authorize"
    # token = "https://id.example.com/token"
    # revocation = "https://id.example.com/revoke"

    """
  }
}
