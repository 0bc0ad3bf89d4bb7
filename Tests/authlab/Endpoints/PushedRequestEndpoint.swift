/// The pushed authorization request endpoint (RFC 9126, section 2).
struct PushedRequestEndpoint {
  /// What the server remembers.
  let state: LabState
  /// The settings in force.
  let settings: Settings

  /// Takes a request and answers with a reference to it.
  func answer(_ request: Request, form: FormFields) async -> Response {
    guard [.offered, .required].contains(settings.par) else {
      return Response(404, json: ["error": "not_found"], outcome: "par.404")
    }
    do throws(OAuthError) {
      guard request.method == "POST" else { throw OAuthError("invalid_request", "The method must be POST.") }
      if let name = form.repeatedName {
        throw OAuthError("invalid_request", "The parameter \(name) was given twice.")
      }
      let client = try await state.client(of: request, form: form)
      guard form["client_id"] == client.id, form["request_uri"] == nil else {
        throw OAuthError("invalid_request", "The request lacks its client_id, or is a reference itself.")
      }
      let uri = await state.push(form, client: client)
      return Response(
        201, json: ["request_uri": .string(uri), "expires_in": .integer(LabState.pushedLifetime)], outcome: "par.ok"
      ).adding("Cache-Control", "no-store")
    } catch {
      let response = Response(error.status, json: error.json, outcome: "par.\(error.code)")
      return error.status == 401 ? response.adding("WWW-Authenticate", "Basic realm=\"authlab\"") : response
    }
  }
}
