import Foundation

/// Where tokens are to be used (RFC 8707).
extension LabState {
  /// The resources that a request names, or those that were granted where it names none.
  ///
  /// - Parameter granted: those of the authorization request, which a token request may narrow (section 2.2); any when
  ///   empty.
  /// - Throws: `OAuthError` with `invalid_target` for what is no absolute URI, or was not granted.
  func resources(_ form: FormFields, within granted: [String] = []) throws(OAuthError) -> [String] {
    let asked = form.values("resource")
    for resource in asked {
      guard let uri = URLComponents(string: resource), uri.scheme != nil, uri.fragment == nil else {
        throw OAuthError("invalid_target", "The resource is not an absolute URI.")
      }
      guard granted.isEmpty || granted.contains(resource) else {
        throw OAuthError("invalid_target", "The resource was not granted.")
      }
    }
    return asked.isEmpty ? granted : asked
  }
}
