import AuthCore

/// The text with which `profile edit` begins where there is no profile yet.
enum ProfileTemplate {
  /// The text for a profile of this name; it is a profile as it stands, of a server that does not exist.
  static func text(_ name: ProfileName) -> String {
    """
    # The profile \(name). Put your server's values in place of these; what begins with # is a remark.
    # authctl-profile(5) tells every key; authctl profile show \(name) checks what you have written.

    # Where the server's metadata is found. Without discovery, state [endpoints] below instead.
    issuer = "https://id.example.com"

    # The client as it is registered at the server.
    client_id = "cli"

    # How to log in: browser, device, password, client-credentials, token, …
    flow = "browser"

    # What to ask for. offline_access is what many servers want for a refresh token.
    scope = ["openid", "offline_access"]

    # Where the token may go, and nowhere else. The first is the base of relative paths.
    api = ["https://api.example.com/v1"]

    # A confidential client; its secret is given to login and kept in the keyring.
    # client_authentication = "client_secret_basic"

    # As registered, if the server wants an exact match.
    # redirect_uri = "http://127.0.0.1:8085/callback"

    # [endpoints]
    # authorization = "https://id.example.com/authorize"
    # token = "https://id.example.com/token"
    # revocation = "https://id.example.com/revoke"

    """
  }
}
