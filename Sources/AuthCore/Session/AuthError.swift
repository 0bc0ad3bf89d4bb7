/// Why a token could not be had or used; the cases differ in what the caller does next.
public enum AuthError: Error, Sendable, Equatable {
  /// None of the others: a bug, or a local failure.
  case failed(Explanation)
  /// The command line or the profile is wrong: mend it.
  case usage(Explanation)
  /// A person must log in again.
  case loginRequired(Explanation)
  /// The store of the tokens fails; nothing was sent.
  case storage(StorageFault, Explanation)
  /// The network or the server fails for now: try again later. The stored tokens are unharmed.
  case tryLater(Explanation)
  /// The authorization server refuses, or answers nonsense.
  case refused(Explanation)
  /// The token would have gone to an origin that is not the profile's.
  case origin(Explanation)

  /// What to tell the caller.
  public struct Explanation: Sendable, Equatable {
    /// What failed.
    public var what: String
    /// Why it failed.
    public var why: String
    /// What to do about it.
    public var hint: String
    /// The server's own `error` code, where it gave one (RFC 6749, section 5.2).
    public var serverError: String?

    /// Makes an explanation.
    public init(_ what: String, why: String, hint: String, serverError: String? = nil) {
      self.what = what
      self.why = why
      self.hint = hint
      self.serverError = serverError
    }
  }

  /// That the lock of a session could not be had in time.
  static func lockTimedOut(_ session: String) -> AuthError {
    .tryLater(
      .init(
        "profile \(session)", why: "another process has been renewing its tokens for too long",
        hint: "try again; if it stays so, look for a hanging authctl"))
  }

  /// What to tell the caller, whichever the case.
  public var explanation: Explanation {
    switch self {
    case .failed(let it), .usage(let it), .loginRequired(let it), .storage(_, let it), .tryLater(let it),
      .refused(let it), .origin(let it):
      it
    }
  }
}
