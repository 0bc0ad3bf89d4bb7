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
