import HTTPTypes

/// The device authorization endpoint of an authorization server (RFC 8628, section 3.1).
struct DeviceAuthorizationEndpoint: Sendable {
  let url: WebURL
  let client: OAuthClient
  let connection: ServerConnection

  /// Asks for a device code and a user code.
  ///
  /// - Parameter what: what is being done, for the error.
  /// - Throws: ``AuthError/tryLater(_:)`` where the server is not to be had, else ``AuthError/refused(_:)``.
  func request(_ fields: [(name: String, value: String)], what: String) async throws(AuthError) -> DeviceAuthorization {
    var form = fields
    var header: HTTPFields = [:]
    try await client.authenticate(&form, &header, at: url)
    // Needed only of a client that does not authenticate (section 3.1); django-oauth-toolkit fails without it.
    if !form.contains(where: { $0.name == "client_id" }) { form.append(("client_id", client.clientID)) }
    let answer: HTTPAnswer
    do {
      answer = try await connection.post(form, to: url, fields: header)
    } catch {
      guard !error.isNonsense else {
        throw .refused(
          .init(what, why: "\(url): \(error.description)", hint: DeviceAuthorizationEndpoint.addressHint))
      }
      throw .tryLater(error.explanation(what, hint: DeviceAuthorizationEndpoint.laterHint))
    }
    guard (200...299).contains(answer.status) else { throw failure(answer, what: what) }
    let document: JSONValue
    do {
      document = try JSONValue(parsing: answer.body)
    } catch {
      throw .refused(
        .init(
          what, why: "\(url): the response is not JSON: \(answer.outline())",
          hint: DeviceAuthorizationEndpoint.addressHint))
    }
    // Some servers answer an error with 200.
    if document["error"] != nil, document["device_code"] == nil { throw failure(answer, what: what) }
    do {
      return try DeviceAuthorization(document)
    } catch {
      throw .refused(.init(what, why: "\(url): \(error.reason)", hint: DeviceAuthorizationEndpoint.addressHint))
    }
  }

  private func failure(_ answer: HTTPAnswer, what: String) -> AuthError {
    let response = ErrorResponse(answer)
    switch answer.status {
    case 300...399:
      return .refused(
        .init(
          what, why: "\(url) redirects, which a device authorization endpoint must not",
          hint: DeviceAuthorizationEndpoint.addressHint))
    case let status where TransientStatus.meansUnavailable(status):
      return .tryLater(
        .init(what, why: "\(url) returned \(response.words)", hint: DeviceAuthorizationEndpoint.laterHint))
    default:
      return .refused(
        .init(
          what, why: "\(url) returned \(response.words)",
          hint: response.hint(
            in: .device, client: client.hint + "; or the server does not let this client use the device flow"),
          serverError: response.error))
    }
  }

  private static let laterHint = "check the network and the server's address, then log in again"
  private static let addressHint =
    "check device_authorization in [endpoints] of the profile, or ask the server's operator"
}
