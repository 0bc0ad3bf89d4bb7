/// The life of an authorization request.
extension LabState {
  /// Keeps a request until the resource owner has decided, and returns the handle for the page.
  func suspend(_ request: AuthorizationRequest) -> String {
    let handle = RandomToken.make()
    pending[handle] = request
    return handle
  }

  /// The request behind a page that is still open.
  func pendingRequest(_ handle: String) -> AuthorizationRequest? {
    pending[handle]
  }

  /// Forgets a request that is decided.
  func close(_ handle: String) {
    pending[handle] = nil
  }

  /// Issues a code for a request that was granted.
  func grant(_ request: AuthorizationRequest, subject: String) -> String {
    let code = RandomToken.make()
    codes[code] = AuthorizationCode(request: request, subject: subject, expiresAt: now + settings.codeLifetime)
    return code
  }
}
