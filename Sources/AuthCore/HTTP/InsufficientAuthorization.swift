/// The authorization that a valid token lacks for a request, according to the API's challenge. A refresh would return
/// an equivalent token; a login that requests the missing authorization helps.
public struct InsufficientAuthorization: Sendable, Equatable {
  /// The insufficient property of the token.
  public enum Lack: Sendable, Equatable {
    /// The granted scope: `insufficient_scope` (RFC 6750, section 3.1).
    case scope
    /// How, or how long ago, the user logged in: `insufficient_user_authentication` (RFC 9470, section 3).
    case userAuthentication
  }

  /// The insufficient property of the token.
  public let lack: Lack
  /// `scope`: the scope that the request requires; empty if the API does not state it.
  public let scope: [String]
  /// `acr_values`: the accepted authentication methods, in order of preference; empty if the API does not state them.
  public let acrValues: [String]
  /// `max_age`: how many seconds ago the user may have logged in; nil if the API does not state it.
  public let maxAge: Int?

  /// Creates a description.
  public init(_ lack: Lack, scope: [String] = [], acrValues: [String] = [], maxAge: Int? = nil) {
    self.lack = lack
    self.scope = scope
    self.acrValues = acrValues
    self.maxAge = maxAge
  }

  /// Reads a 401 or 403 response. It is nil if its challenges do not report this, or also report a problem that a
  /// refresh may solve, such as `invalid_token`.
  public init?(_ response: TransferResponse) {
    guard response.status == 401 || response.status == 403 else { return nil }
    let refusals = Challenge.all(in: response.fields).filter { $0["error"] != nil }
    let lacks = refusals.compactMap { InsufficientAuthorization($0) }
    guard let first = lacks.first, lacks.count == refusals.count else { return nil }
    self = first
  }

  private init?(_ challenge: Challenge) {
    switch challenge["error"] {
    case "insufficient_scope": lack = .scope
    case "insufficient_user_authentication": lack = .userAuthentication
    default: return nil
    }
    scope = challenge.words("scope")
    acrValues = challenge.words("acr_values")
    maxAge = challenge["max_age"].flatMap { UInt32($0) }.map { Int($0) }
  }
}
