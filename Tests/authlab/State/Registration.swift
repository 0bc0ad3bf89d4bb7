/// A client that has registered itself (RFC 7591).
struct Registration: Sendable {
  /// The client.
  let client: Client
  /// What it has registered.
  let metadata: ClientMetadata
  /// `registration_access_token` (RFC 7592, section 3).
  let accessToken: String
  /// When it registered, in seconds since 1970.
  let issuedAt: Double

  /// The members of client information responses, but for those of the management.
  ///
  /// - Parameter clockOffset: how far the server's clock is ahead, in seconds.
  func members(clockOffset: Double) -> [(name: String, value: JSONValue)] {
    var members: [(name: String, value: JSONValue)] = [
      ("client_id", .string(client.id)), ("client_id_issued_at", .integer(Int(issuedAt + clockOffset))),
    ]
    if let secret = client.secret {
      // 0 is for ever (RFC 7591, section 3.2.1).
      let end = client.secretExpiresAt.map { Int($0 + clockOffset) } ?? 0
      members += [("client_secret", .string(secret)), ("client_secret_expires_at", .integer(end))]
    }
    return members + metadata.members
  }
}
