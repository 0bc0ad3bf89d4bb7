extension Profile {
  /// Reads a profile of `type = "custom"`.
  mutating func readCustom(_ root: ProfileTable) throws(AuthError) {
    try refuse(Profile.oauthKeys, root)
    try readShared(root)
    try readTokenLife(root)
    custom = try CustomServer(root)
  }

  /// Reads a profile of `type = "basic"` (RFC 7617).
  mutating func readBasic(_ root: ProfileTable) throws(AuthError) {
    try refuse(Profile.oauthKeys + Profile.tokenKeys + Profile.customKeys, root)
    try readShared(root)
    guard let username, !username.isEmpty else {
      throw root.error("username", "'username' is missing", hint: "add username = \"…\"")
    }
    guard !username.contains(":") else {
      throw root.error(
        "username", "'username' contains a colon, which HTTP Basic does not allow (RFC 7617, section 2)",
        hint: "ask the server's operator for a user name without one")
    }
    guard !api.isEmpty else {
      throw root.error("api", "'api' is missing", hint: "add api = [\"https://…\"], the APIs that may get the password")
    }
    header = TokenHeader(prefix: "Basic")
    // Nothing can be renewed: a refusal is the response.
    refreshOn = []
  }

  private static let oauthKeys = [
    "issuer", "client_id", "scope", "audience", "resource", "client_authentication", "redirect_uri", "basic_encoding",
    "parameters",
  ]
  private static let tokenKeys = [
    "header", "on", "refresh_before", "refresh_token_margin", "refresh_token_lifetime", "access_token_lifetime",
    "refresh_on",
  ]
  private static let customKeys = ["base", "flow", "endpoints", "requests", "response", "secrets"]

  private func refuse(_ keys: [String], _ root: ProfileTable) throws(AuthError) {
    for key in keys where root.has(key) {
      throw root.error(
        key, "'\(key)' is not a key of a profile of type \"\(type.rawValue)\"", hint: "remove it, or fix type")
    }
  }
}
