/// States that a token is valid, but not for this request, according to the API's challenge. A refresh would return an
/// equivalent token; a login that requests what is missing helps.
public struct InsufficientAuthorization: Sendable, Equatable {
  /// What is not enough.
  public enum Lack: Sendable, Equatable {
    /// What was granted: `insufficient_scope` (RFC 6750, section 3.1).
    case scope
    /// How, or how long ago, the person logged in: `insufficient_user_authentication` (RFC 9470, section 3).
    case userAuthentication
  }

  /// What is not enough.
  public let lack: Lack
  /// `scope`: what the request needs; empty where the API does not say.
  public let scope: [String]
  /// `acr_values`: the ways to log in of which one is wanted, the best first; empty where the API does not say.
  public let acrValues: [String]
  /// `max_age`: how many seconds ago the person may have logged in; nil where the API does not say.
  public let maxAge: Int?

  /// Makes a description.
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
