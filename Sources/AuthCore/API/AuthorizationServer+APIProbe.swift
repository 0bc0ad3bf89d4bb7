import HTTPTypes

extension AuthorizationServer {
  /// Sends one GET with a session's access token to the profile's first API.
  ///
  /// No redirect is followed and nothing is refreshed. The response is not remembered, and its body is not read.
  ///
  /// - Returns: nil if the profile has no API, its key can't be read, or no response arrives.
  package func apiResponse(to pair: TokenPair) async -> TransferResponse? {
    // The other checks report these.
    guard let url = profile.api.first, let credential = try? await credential(pair) else { return nil }
    var connection = connection
    connection.isForServer = false
    let authorization = AuthorizedSender.Authorization(
      FixedCredential(credential), header: profile.header, origins: profile.origins)
    let sender = AuthorizedSender(
      ConnectionTransport(connection: connection), authorization, events: connection.events)
    var transfer = Transfer(method: .get, url: url)
    transfer.destination = { _ in .discard }
    return try? await sender.send(transfer, redirects: .response)
  }
}

/// Sends requests with the settings of a connection.
private struct ConnectionTransport: HTTPTransport {
  let connection: ServerConnection

  func send(_ transfer: Transfer) async throws -> TransferResponse { try await connection.header(after: transfer) }
}
