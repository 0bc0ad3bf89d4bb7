/// Why a ``TokenRescue`` does not keep a secret.
public enum RescueFailure: Error, Sendable, Equatable {
  /// Nothing can be kept here, today or later; why, in a phrase.
  case notAllowed(String)
  /// There is no room for so much; why, in a phrase.
  case noRoom(String)
  /// Anything else; why, in a phrase.
  case failed(String)

  /// Why, in a phrase.
  public var why: String {
    switch self {
    case .notAllowed(let why), .noRoom(let why), .failed(let why): why
    }
  }
}
