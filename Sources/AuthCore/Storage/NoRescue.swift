/// Keeps nothing: for programs whose tokens are stored where storing does not fail.
public struct NoRescue: TokenRescue {
  public var place: String { "no place" }

  /// Makes it.
  public init() {}

  public func hold(_ secret: Secret, for profile: String) throws(RescueFailure) {
    throw .notAllowed("nothing is kept outside the store")
  }

  public func held(for profile: String) throws(RescueFailure) -> Secret? { nil }

  public func drop(for profile: String) throws(RescueFailure) {}
}
