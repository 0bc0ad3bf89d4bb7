/// Authorization requests that were pushed (RFC 9126).
extension LabState {
  /// How long a pushed request waits for its browser, in seconds.
  static let pushedLifetime = 60

  /// Keeps a request and returns its `request_uri`.
  func push(_ parameters: FormFields, client: Client) -> String {
    let uri = "urn:ietf:params:oauth:request_uri:" + RandomToken.make()
    pushed[uri] = PushedRequest(
      clientID: client.id, parameters: parameters, expiresAt: now + Double(Self.pushedLifetime))
    return uri
  }

  /// The request behind a `request_uri`, once; nil where it is not this client's.
  func takePushed(_ uri: String, clientID: String?) -> FormFields? {
    guard let request = pushed[uri], request.clientID == clientID else { return nil }
    pushed[uri] = nil
    return request.expiresAt > now ? request.parameters : nil
  }
}
