public import FoundationEssentials

/// Why a token could not be had or used; the cases differ in what the caller does next.
public enum AuthError: Error, Sendable, Equatable, Codable {
  /// None of the others: a bug, or a local failure.
  case failed(Explanation)
  /// The command line or the profile is invalid and must be fixed.
  case usage(Explanation)
  /// A person must log in again.
  case loginRequired(Explanation)
  /// The store of the tokens fails; nothing was sent.
  case storage(StorageFault, Explanation)
  /// The network or the server fails for now: try again later. The stored tokens are unharmed.
  case tryLater(Explanation)
  /// The authorization server refuses the request, or its response is invalid.
  case refused(Explanation)
  /// The token would have gone to an origin that is not the profile's.
  case origin(Explanation)

  /// What to tell the caller.
  public struct Explanation: Sendable, Equatable, Codable {
    /// What failed.
    public var what: String
    /// Why it failed.
    public var why: String
    /// What to do about it, in words that fit every program; empty if ``remedy`` says it all.
    public var hint: String
    /// What to do about it with the program itself, which puts it into words.
    public var remedy: Remedy?
    /// The server's own `error` code, where it gave one (RFC 6749, section 5.2).
    public var serverError: String?
    /// The server's `error_description`, if it gave one.
    public var serverErrorDescription: String?

    /// Makes an explanation.
    public init(
      _ what: String, why: String, hint: String = "", remedy: Remedy? = nil, serverError: String? = nil,
      serverErrorDescription: String? = nil
    ) {
      self.what = what
      self.why = why
      self.hint = hint
      self.remedy = remedy
      self.serverError = serverError
      self.serverErrorDescription = serverErrorDescription
    }
  }

  /// That the lock of a session could not be had in time.
  static func lockTimedOut(_ session: String) -> AuthError {
    .tryLater(
      .init(
        "profile \(session)", why: "another process has been refreshing its tokens for too long",
        hint: "try again; if it happens again, look for a process that hangs"))
  }

  /// Returns the error that the user must log in to a session again.
  static func mustLogIn(to session: String, why: String) -> AuthError {
    .loginRequired(.init("profile \(session)", why: why, remedy: .logIn(session: session)))
  }

  /// That a session has been ended while its token was being asked for.
  static func loggedOut(_ session: String) -> AuthError {
    mustLogIn(to: session, why: "it was logged out in the meantime")
  }

  /// What to tell the caller, whichever the case.
  public var explanation: Explanation {
    switch self {
    case .failed(let it), .usage(let it), .loginRequired(let it), .storage(_, let it), .tryLater(let it),
      .refused(let it), .origin(let it):
      it
    }
  }

  /// The same with another explanation.
  func explained(by change: (inout Explanation) -> Void) -> AuthError {
    var it = explanation
    change(&it)
    return switch self {
    case .failed: .failed(it)
    case .usage: .usage(it)
    case .loginRequired: .loginRequired(it)
    case .storage(let fault, _): .storage(fault, it)
    case .tryLater: .tryLater(it)
    case .refused: .refused(it)
    case .origin: .origin(it)
    }
  }
}

extension AuthError: CustomStringConvertible, LocalizedError {
  /// What failed and why, as one line of text without any secret.
  public var description: String { "\(explanation.what): \(explanation.why)" }

  /// What failed and why.
  public var errorDescription: String? { description }

  /// Why it failed.
  public var failureReason: String? { explanation.why }

  /// What to do about it; nil if only ``Explanation/remedy`` or nothing is known.
  public var recoverySuggestion: String? { explanation.hint.isEmpty ? nil : explanation.hint }
}
