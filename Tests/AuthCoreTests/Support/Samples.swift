import Foundation
import TestSupport
import Testing

@testable import AuthCore

/// A profile `work` of the server `https://id.example`, with its token endpoint stated.
func sampleProfile(_ change: (inout Profile) throws -> Void = { _ in }) throws -> Profile {
  var profile = Profile(name: try #require(ProfileName("work")), clientID: "cli")
  profile.issuer = "https://id.example"
  profile.endpoints.token = try WebURL("https://id.example/token")
  profile.api = [try WebURL("https://api.example/v1")]
  try change(&profile)
  return profile
}

/// A connection over a scripted transport at the sample time.
func connection(
  _ transport: ScriptedTransport, events: EventLog = EventLog(), now: @escaping @Sendable () -> Date = { .sample }
) -> ServerConnection {
  ServerConnection(
    transport: transport, network: NetworkOptions(), userAgent: "authctl/test", now: now, boot: { .sample },
    events: events.handler)
}

/// A pair of the sample profile whose access token lives for `life` seconds from the sample time.
func samplePair(access: String = "A1", refresh: String? = "R1", life: Double? = 3600) -> TokenPair {
  TokenPair(
    accessToken: Secret(access), refreshToken: refresh.map { Secret($0) },
    expiresAt: life.map { Date.sample.addingTimeInterval($0) }, issuedAt: .sample,
    server: .init(
      issuer: "https://id.example", clientID: "cli", tokenEndpoint: "https://id.example/token",
      revocationEndpoint: "https://id.example/revoke"))
}

/// An unsigned JSON Web Token with a payload.
func jwt(_ payload: String) -> Secret {
  Secret(Base64URL.encode(#"{"alg":"none"}"#.utf8) + "." + Base64URL.encode(payload.utf8) + ".sig")
}
