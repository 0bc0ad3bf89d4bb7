import Foundation

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
      let scope = try await state.grantedScope(form["scope"])
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
    var members: [String: Any] = [
      "device_code": codes.deviceCode, "user_code": codes.userCode, "verification_uri": page,
      "verification_uri_complete": "\(page)?user_code=\(codes.userCode)",
      "expires_in": Int(settings.deviceLifetime.rounded(.down)), "interval": Int(settings.deviceInterval.rounded(.up)),
    ]
    let changes = try? JSONSerialization.jsonObject(with: Data(settings.deviceMembers.utf8)) as? [String: Any]
    for (name, value) in changes ?? [:] { members[name] = value is NSNull ? nil : value }
    let data = try? JSONSerialization.data(withJSONObject: members, options: [.withoutEscapingSlashes, .sortedKeys])
    return String(decoding: data ?? Data(), as: UTF8.self)
  }
}
