/// Revokes a pair with the request `[requests.revoke]` from a profile.
struct CustomRevocation: TokenRevocation {
  let profile: Profile
  let server: CustomServer
  let connection: ServerConnection

  func revoke(_ pair: TokenPair) async throws(AuthError) -> Bool {
    if let change = pair.server?.change(in: profile) {
      throw .refused(Revocation.failure("\(change.words) since the login; nothing was sent"))
    }
    guard let request = server.revoke else { return false }
    let values = RequestValues(pair)
    // A pair without a refresh token has none to revoke.
    guard request.placeholders.allSatisfy({ $0.isOptional || values[$0.name] != nil }) else { return false }
    let transfer = try await request.filled(values)
    let exchange = CustomEndpoint(server: server, connection: connection)
    let end = Revocation.deadline(of: connection)
    try await Revocation.retrying(over: connection, until: end) { () throws(AuthError) -> Void in
      do throws(TokenEndpoint.Failure) {
        try await exchange.accepted(transfer, values)
      } catch {
        throw explained(error, at: exchange.shown(transfer, values))
      }
    }
    return true
  }

  private func explained(_ failure: TokenEndpoint.Failure, at place: String) -> AuthError {
    func explanation(_ why: String) -> AuthError.Explanation { Revocation.failure(why) }
    switch failure {
    case .unavailable(let failure): return .tryLater(explanation(failure.reason))
    case .contended(let reason): return .tryLater(explanation(reason))
    case .local(let error): return error
    case .malformed(let reason): return .refused(explanation(reason))
    case .invalidGrant(let response), .refused(let response):
      return .refused(explanation("\(place) returned \(response.words)"))
    }
  }
}
