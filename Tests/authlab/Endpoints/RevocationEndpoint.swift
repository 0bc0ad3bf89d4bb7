/// The revocation endpoint (RFC 7009).
struct RevocationEndpoint {
  /// What the server remembers.
  let state: LabState
  /// The settings in force.
  let settings: Settings

  /// Revokes; a token that is not known is as good as revoked (section 2.2).
  func answer(_ request: Request, form: FormFields) async -> Response {
    do throws(OAuthError) {
      guard request.method == "POST" else { throw OAuthError("invalid_request", "The method must be POST.") }
      let client = try await state.client(of: request, form: form)
      guard client.isConfidential || settings.publicRevocation else {
        throw OAuthError("invalid_client", "A public client can't revoke.")
      }
      let hasField = client.isConfidential || form.fields.contains { $0.name == "client_secret" }
      guard hasField || !settings.revocationNeedsSecretField else {
        throw OAuthError("invalid_request", "client_secret: Field required")
      }
      guard let token = form["token"] else { throw OAuthError("invalid_request", "The parameter token is missing.") }
      try await state.revoke(token, client: client)
      return Response(empty: 200, outcome: "revoke.ok").adding("Cache-Control", "no-store")
    } catch {
      let response = Response(error.status, json: error.json, outcome: "revoke.\(error.code)")
      return error.status == 401 ? response.adding("WWW-Authenticate", "Basic realm=\"authlab\"") : response
    }
  }
}
