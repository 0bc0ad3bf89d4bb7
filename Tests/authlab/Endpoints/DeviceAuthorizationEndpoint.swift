/// The device authorization endpoint (RFC 8628, section 3.1).
struct DeviceAuthorizationEndpoint {
  /// What the server remembers.
  let state: LabState
  /// The settings in force.
  let settings: Settings

  /// Issues the codes, or refuses in the form of RFC 6749, section 5.2.
  func answer(_ request: Request, form: FormFields) async -> Response {
    do throws(OAuthError) {
      guard request.method == "POST" else { throw OAuthError("invalid_request", "The method must be POST.") }
      let client = try await state.client(of: request, form: form)
      guard client.allows(DeviceGrant.type) else {
        throw OAuthError("unauthorized_client", "The client has not registered this grant.")
      }
      let scope = try await state.grantedScope(form["scope"], for: client)
      let codes = await state.authorizeDevice(
        clientID: client.id, scope: scope, acrValues: form.words("acr_values"))
      return Response(200, text: document(codes), type: "application/json", outcome: "device_authorization.ok")
        .adding("Cache-Control", "no-store")
    } catch {
      return Response(error.status, json: error.json, outcome: "device_authorization.\(error.code)")
    }
  }

  /// The response of section 3.2, with what the settings put in its place.
  private func document(_ codes: (deviceCode: String, userCode: String)) -> String {
    let page = "\(state.origin)/device"
    let members: JSONValue = [
      "device_code": .string(codes.deviceCode), "user_code": .string(codes.userCode),
      "verification_uri": .string(page), "verification_uri_complete": "\(page)?user_code=\(codes.userCode)",
      "expires_in": .integer(Int(settings.deviceLifetime.rounded(.down))),
      "interval": .integer(Int(settings.deviceInterval.rounded(.up))),
    ]
    return members.text(changedBy: settings.deviceMembers)
  }
}
