public import FoundationEssentials

/// The reason why a token could not be obtained or used. Each case requires a different reaction of the caller.
public enum AuthError: Error, Sendable, Equatable, Codable {
  /// Any other failure: a bug or a local error.
  case failed(Explanation)
  /// The command line or the profile is invalid and must be fixed.
  case usage(Explanation)
  /// The user must log in again.
  case loginRequired(Explanation)
  /// The token store failed; nothing was sent.
  case storage(StorageFault, Explanation)
  /// The network or the server failed temporarily: try again later. The stored tokens are unaffected.
  case tryLater(Explanation)
  /// The authorization server refused the request, or its response is invalid.
  case refused(Explanation)
  /// The token would have been sent to an origin that does not belong to the profile.
  case origin(Explanation)

  /// A description of the failure for the caller.
  public struct Explanation: Sendable, Equatable, Codable {
    /// The operation or object that failed.
    public var what: String
    /// The reason for the failure.
    public var why: String
    /// How to fix it, worded for any program; empty if ``remedy`` is sufficient.
    public var hint: String
    /// How to fix it with the program itself, which words the remedy.
    public var remedy: Remedy?
    /// The server's `error` code; nil if it sent none (RFC 6749, section 5.2).
    public var serverError: String?
    /// The server's `error_description`; nil if it sent none.
    public var serverErrorDescription: String?
    /// Why the user must log in; nil for other errors, and for a reason that ``LoginReason`` does not have.
    public var reason: LoginReason?
    /// The error that a closure of the program has thrown, or its client; nil for none. It is never printed or stored,
    /// and two explanations that differ only in it are equal.
    public var underlying: (any Error)? {
      get { cause.error }
      set { cause.error = newValue }
    }
    private var cause = Cause()

    private enum CodingKeys: String, CodingKey {
      case what, why, hint, remedy, serverError, serverErrorDescription, reason
    }

    /// An error without a text, of which there is only one.
    private struct Cause: Sendable, Equatable, CustomReflectable {
      var error: (any Error)?
      var customMirror: Mirror { Mirror(self, children: []) }
      static func == (_: Cause, _: Cause) -> Bool { true }
    }

    /// Creates an explanation.
    public init(
      _ what: String, why: String, hint: String = "", remedy: Remedy? = nil, serverError: String? = nil,
      serverErrorDescription: String? = nil, reason: LoginReason? = nil
    ) {
      self.reason = reason
      self.what = what
      self.why = why
      self.hint = hint
      self.remedy = remedy
      self.serverError = serverError
      self.serverErrorDescription = serverErrorDescription
    }
  }

  /// Returns the name of a session as the object of an error. A program may have a word of its own for it.
  package static func session(_ name: String) -> String { "\(sessionWord)\(name)" }

  /// How ``Explanation/what`` begins if the error is about a session as a whole.
  package static let sessionWord = "session "

  /// Returns the error that the lock of a session could not be acquired in time.
  static func lockTimedOut(_ session: String) -> AuthError {
    .tryLater(
      AuthError.session(session), why: "another process has been refreshing its tokens for too long", hint: lockHint)
  }

  /// Returns the error that no request can be sent by this process.
  package static func unusableTransport(_ what: String, why: String) -> AuthError {
    .failed(what, why: why, remedy: .checkNetworkOptions)
  }

  /// Returns the error that the lock of a store could not be acquired in time.
  package static func storeTimedOut(_ what: String, why: String) -> AuthError {
    .storage(.timedOut, what, why: why, hint: lockHint)
  }

  private static let lockHint = "try again; if it happens again, look for a process that hangs"

  /// Returns the error that the user must log in to a session again.
  static func mustLogIn(to session: String, why: String, _ reason: LoginReason? = nil) -> AuthError {
    .loginRequired(
      Explanation(AuthError.session(session), why: why, remedy: .logIn(session: session), reason: reason))
  }

  /// Returns the error that the user logged out of a session while its token was being obtained.
  static func loggedOut(_ session: String) -> AuthError {
    mustLogIn(to: session, why: "it was logged out in the meantime", .notLoggedIn)
  }

  /// The explanation of any case.
  public var explanation: Explanation {
    switch self {
    case .failed(let it), .usage(let it), .loginRequired(let it), .storage(_, let it), .tryLater(let it),
      .refused(let it), .origin(let it):
      it
    }
  }

  /// Returns the same case with a changed explanation.
  package func explained(by change: (inout Explanation) -> Void) -> AuthError {
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
  /// The failure and its reason, as one line of text without any secret.
  public var description: String { "\(explanation.what): \(explanation.why)" }

  /// The failure and its reason.
  public var errorDescription: String? { description }

  /// The reason for the failure.
  public var failureReason: String? { explanation.why }

  /// How to fix it; nil if there is no ``Explanation/hint``.
  public var recoverySuggestion: String? { explanation.hint.isEmpty ? nil : explanation.hint }
}

extension AuthError {
  /// An action by which the user can fix an error with the current program.
  ///
  /// The library does not know the program's commands: the program words the remedy itself.
  public enum Remedy: Sendable, Equatable, Codable {
    /// Log in to the session again.
    case logIn(session: String)
    /// Log in to the session again and provide the client secret.
    case giveClientSecret(session: String)
    /// Log in to the session again and provide the client's private key.
    case giveClientKey(session: String)
    /// Provide a value or a file for a field of the request.
    case giveField(name: String, isFile: Bool)
    /// Configure an endpoint of the server under its key in `[endpoints]`.
    case stateEndpoint(session: String, key: String)
    /// Try again after this many seconds; nil if the server does not state a time.
    case tryAgain(after: Double?)
    /// Send the request without following redirects, so that the redirect itself is the response.
    case followNoRedirects
    /// Check the installation of the HTTP library, and the options for it.
    case checkNetworkOptions
    /// Specify the certificate authority that issued the server's certificate.
    case trustCertificate
    /// Unlock the keyring, or start it, on a machine without a desktop.
    case unlockKeyring
  }
}

extension AuthError {
  /// Creates a ``failed(_:)`` from the parts of its explanation.
  package static func failed(_ what: String, why: String, hint: String = "", remedy: Remedy? = nil) -> AuthError {
    .failed(Explanation(what, why: why, hint: hint, remedy: remedy))
  }

  /// Creates a ``usage(_:)`` from the parts of its explanation.
  package static func usage(_ what: String, why: String, hint: String = "", remedy: Remedy? = nil) -> AuthError {
    .usage(Explanation(what, why: why, hint: hint, remedy: remedy))
  }

  /// Creates a ``loginRequired(_:)`` from the parts of its explanation.
  package static func loginRequired(
    _ what: String, why: String, hint: String = "", remedy: Remedy? = nil, serverError: String? = nil,
    serverErrorDescription: String? = nil
  ) -> AuthError {
    .loginRequired(
      Explanation(
        what, why: why, hint: hint, remedy: remedy, serverError: serverError,
        serverErrorDescription: serverErrorDescription))
  }

  /// Creates a ``tryLater(_:)`` from the parts of its explanation.
  package static func tryLater(_ what: String, why: String, hint: String = "", remedy: Remedy? = nil) -> AuthError {
    .tryLater(Explanation(what, why: why, hint: hint, remedy: remedy))
  }

  /// Creates a ``refused(_:)`` from the parts of its explanation.
  package static func refused(
    _ what: String, why: String, hint: String = "", remedy: Remedy? = nil, serverError: String? = nil,
    serverErrorDescription: String? = nil
  ) -> AuthError {
    .refused(
      Explanation(
        what, why: why, hint: hint, remedy: remedy, serverError: serverError,
        serverErrorDescription: serverErrorDescription))
  }

  /// Creates a ``origin(_:)`` from the parts of its explanation.
  package static func origin(_ what: String, why: String, hint: String = "", remedy: Remedy? = nil) -> AuthError {
    .origin(Explanation(what, why: why, hint: hint, remedy: remedy))
  }

  /// Creates a ``storage(_:_:)`` from the parts of its explanation.
  package static func storage(
    _ fault: StorageFault, _ what: String, why: String, hint: String = "", remedy: Remedy? = nil
  ) -> AuthError {
    .storage(fault, Explanation(what, why: why, hint: hint, remedy: remedy))
  }
}
