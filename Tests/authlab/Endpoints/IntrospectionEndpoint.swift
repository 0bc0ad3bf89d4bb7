/// The introspection endpoint (RFC 7662).
struct IntrospectionEndpoint {
  /// What the server remembers.
  let state: LabState
  /// The settings in force.
  let settings: Settings

  /// Tells about a token, but to confidential clients only (section 2.1).
  func answer(_ request: Request, form: FormFields) async -> Response {
    do throws(OAuthError) {
      guard request.method == "POST" else { throw OAuthError("invalid_request", "The method must be POST.") }
      guard try await state.client(of: request, form: form).isConfidential else {
        throw OAuthError("invalid_client", "A public client can't introspect.")
      }
      guard let token = form["token"] else { throw OAuthError("invalid_request", "The parameter token is missing.") }
      return Response(json: await state.introspect(token), outcome: "introspect.ok")
        .adding("Cache-Control", "no-store")
    } catch {
      let response = Response(error.status, json: error.json, outcome: "introspect.\(error.code)")
      return error.status == 401 ? response.adding("WWW-Authenticate", "Basic realm=\"authlab\"") : response
    }
  }
}
