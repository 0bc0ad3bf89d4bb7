import Foundation

/// The life of a device authorization (RFC 8628).
extension LabState {
  /// Issues a device code and a user code.
  func authorizeDevice(clientID: String, scope: [String], acrValues: [String]) -> (deviceCode: String, userCode: String)
  {
    let deviceCode = RandomToken.make()
    let letters = (0..<8).map { _ in "BCDFGHJKLMNPQRSTVWXZ".randomElement() ?? "B" }
    let userCode = String(letters.prefix(4)) + "-" + String(letters.suffix(4))
    devices[deviceCode] = DeviceGrant(
      userCode: userCode, clientID: clientID, scope: scope, acrValues: acrValues,
      expiresAt: now + settings.deviceLifetime,
      interval: settings.deviceInterval, lastPoll: now)
    return (deviceCode, userCode)
  }

  /// Takes down what the resource owner has decided; false where no such code waits.
  func decideDevice(_ userCode: String, _ decision: DeviceGrant.Decision) -> Bool {
    let wanted = userCode.uppercased()
    guard let key = devices.first(where: { $0.value.userCode == wanted && $0.value.expiresAt > now })?.key else {
      return false
    }
    devices[key]?.decision = decision
    return true
  }

  /// Decides about all device codes that wait, as a JSON object says: `{"decision":"allow","user":"alice"}`.
  /// - Throws: `SettingsError` that says what can't be used.
  func decideDevices(_ order: Data) throws {
    guard let members = try JSONSerialization.jsonObject(with: order) as? [String: Any],
      let word = members["decision"] as? String, ["allow", "deny"].contains(word)
    else { throw SettingsError(reason: "The decision is neither allow nor deny.") }
    let subject = members["user"] as? String ?? users.keys.min() ?? ""
    for key in devices.keys { devices[key]?.decision = word == "allow" ? .approved(subject: subject) : .denied }
  }

  /// Exchanges a device code (RFC 8628, sections 3.4 and 3.5).
  /// - Throws: `OAuthError` that says why not, or why not yet.
  func pollDevice(_ form: FormFields, client: Client) throws -> TokenResponse {
    guard let code = form["device_code"] else {
      throw OAuthError("invalid_request", "The parameter device_code is missing.")
    }
    guard let device = devices[code], device.clientID == client.id else {
      throw OAuthError("invalid_grant", "The device code is not known.")
    }
    guard device.expiresAt > now else { throw OAuthError("expired_token", "The device code has expired.") }
    let waited = now - device.lastPoll
    devices[code]?.lastPoll = now
    // Clocks are not that exact.
    guard waited > device.interval - 0.1 else {
      devices[code]?.interval += 5
      throw OAuthError("slow_down", "The device polls too often.")
    }
    switch device.decision {
    case .pending: throw OAuthError("authorization_pending", "The resource owner has not decided yet.")
    case .denied: throw OAuthError("access_denied", "The resource owner said no.")
    case .approved(let subject):
      devices[code] = nil
      let family = startFamily(
        subject: subject, clientID: client.id, scope: device.scope, acrValues: device.acrValues,
        resources: try resources(form))
      return try issue(family, withRefreshToken: getsRefreshToken(client, scope: device.scope))
    }
  }
}
