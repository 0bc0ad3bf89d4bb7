import HTTPTypes

/// The device authorization endpoint of an authorization server (RFC 8628, section 3.1).
struct DeviceAuthorizationEndpoint: Sendable {
  let url: WebURL
  let client: OAuthClient
  /// What to check if the server refuses the client.
  let clientHint: String
  let connection: ServerConnection

  /// Requests a device code and a user code.
  ///
  /// - Parameter what: the current operation, for the error.
  /// - Throws: ``AuthError/tryLater(_:)`` if the server is unavailable, otherwise ``AuthError/refused(_:)``.
  func request(_ fields: [(name: String, value: String)], what: String) async throws(AuthError) -> DeviceAuthorization {
    var form = fields
    var header: HTTPFields = [:]
    try await client.authenticate(&form, &header, at: url)
    // Required only for a client that does not authenticate (section 3.1); django-oauth-toolkit fails without it.
    if !form.contains(where: { $0.name == "client_id" }) { form.append(("client_id", client.clientID)) }
    let response: TransferResponse
    do {
      response = try await connection.post(form, to: url, fields: header)
    } catch {
      guard !error.isUnusable else {
        throw .refused(what, why: "\(url): \(error.description)", hint: DeviceAuthorizationEndpoint.addressHint)
      }
      throw .tryLater(error.explanation(what))
    }
    guard (200...299).contains(response.status) else { throw failure(response, what: what) }
    let document: JSONValue
    do {
      document = try JSONValue(parsing: response.body)
    } catch {
      throw .refused(
        what, why: "\(url): the response is not JSON: \(response.outline())",
        hint: DeviceAuthorizationEndpoint.addressHint)
    }
    // Some servers send an error with status 200.
    if document["error"] != nil, document["device_code"] == nil { throw failure(response, what: what) }
    do {
      return try DeviceAuthorization(document)
    } catch {
      throw .refused(what, why: "\(url): \(error.reason)", hint: DeviceAuthorizationEndpoint.addressHint)
    }
  }

  private func failure(_ response: TransferResponse, what: String) -> AuthError {
    let error = ErrorResponse(response)
    switch response.status {
    case 300...399:
      return .refused(
        what, why: "\(url) redirects, which a device authorization endpoint must not",
        hint: DeviceAuthorizationEndpoint.addressHint)
    case let status where TransientStatus.meansUnavailable(status):
      return .tryLater(error.explanation(what, at: "\(url)", hint: TokenEndpoint.Unavailability.laterHint))
    default:
      let hint = error.hint(
        in: .device, client: clientHint + "; or the server does not let this client use the device flow")
      return .refused(error.explanation(what, at: "\(url)", hint: hint))
    }
  }

  private static let addressHint =
    "check device_authorization in [endpoints] of the profile, or ask the server's operator"
}
