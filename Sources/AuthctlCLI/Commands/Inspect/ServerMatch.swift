import AuthCore

/// The server whose keys check a token from standard input, and the profile with which the token is compared.
struct ServerMatch: Sendable {
  /// Describes the server; nil if there is none.
  let profile: Profile?
  /// The profile with which the token is compared; nil if there is none.
  let compared: Profile?
  /// The reason why there is no server, or no comparison.
  let reason: String

  /// The profile that the command line names.
  init(_ profile: Profile) {
    (self.profile, compared, reason) = (profile, profile, "")
  }

  /// A server that no profile describes, by its issuer.
  init(issuer: WebURL) {
    // The root's slash is not part of an issuer.
    let issuer = issuer.path == "/" && issuer.query == nil ? issuer.origin.string : issuer.string
    profile = ProfileName("issuer").map { name in
      var profile = Profile(name: name, clientID: "")
      profile.issuer = issuer
      return profile
    }
    (compared, reason) = (nil, "")
  }

  /// The profile of a token's issuer. Of several, the one with the token's client; else their common server is used
  /// without a comparison.
  init(of token: DecodedToken, among profiles: [Profile]) {
    let client = (token.claims?["client_id"] ?? token.claims?["azp"])?.string
    let own = profiles.count > 1 ? profiles.filter { $0.clientID == client } : profiles
    profile = own.first ?? profiles.first
    compared = own.count == 1 ? own.first : nil
    reason = ServerMatch.reason(token)
  }

  private static func reason(_ token: DecodedToken) -> String {
    guard token.format != .opaque else { return "an opaque token names no issuer" }
    guard token.format != .damaged else { return "it can't be decoded" }
    guard let issuer = token.claims?["iss"]?.string else { return "the token names no issuer (iss)" }
    return "no profile has the issuer \(Escaped.text(issuer, limit: 160)); to check it: --issuer URL"
  }
}
