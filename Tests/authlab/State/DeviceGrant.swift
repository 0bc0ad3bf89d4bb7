/// What the server knows about a device code (RFC 8628, section 3.2).
struct DeviceGrant: Sendable {
  /// What the resource owner has decided.
  enum Decision: Sendable {
    /// Nothing yet.
    case pending
    /// To grant, as this subject.
    case approved(subject: String)
    /// Not to grant.
    case denied
  }

  /// The grant type at the token endpoint (section 3.4).
  static let type = "urn:ietf:params:oauth:grant-type:device_code"

  /// What the person enters.
  let userCode: String
  /// Whose code it is.
  let clientID: String
  /// What is granted.
  let scope: [String]
  /// `acr_values`: how the person should log in, the best way first.
  let acrValues: [String]
  /// When it ends, in seconds since 1970.
  let expiresAt: Double
  /// The least time between two polls, in seconds.
  var interval: Double
  /// When it was polled for last, in seconds since 1970.
  var lastPoll: Double
  /// What the resource owner has decided.
  var decision = Decision.pending
}
