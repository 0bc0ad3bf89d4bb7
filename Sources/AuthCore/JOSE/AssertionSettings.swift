/// How a profile's client signs: its assertions at the token endpoint (RFC 7523, section 2.2), and those that are a
/// grant themselves (section 2.1).
public struct AssertionSettings: Sendable, Equatable {
  /// The absolute path of the file with the private key; nil where the key is in the keyring.
  public var key: String?
  /// `kid` of the assertions' header; nil takes that of a JWK.
  public var keyID: String?
  /// The algorithm; nil takes what fits the key, and `HS256` for a client's secret.
  public var algorithm: AssertionAlgorithm?
  /// `aud`; nil takes the issuer, and the token endpoint where no issuer is known. Several servers want the latter, and
  /// some the very address that is asked: ``endpointAudience``.
  public var audience: String?

  /// The word for an audience that is the URL of whichever endpoint an assertion is sent to (RFC 9126, section 2).
  public static let endpointAudience = "endpoint"

  /// Makes settings in which all is left to the key and the server.
  public init() {}
}
