extension TokenSession: CredentialSource {
  /// The interceptor that adds the token to requests, and refreshes it if the API refuses it.
  public var interceptor: TokenInterceptor {
    TokenInterceptor(self, header: settings.header, refusals: settings.refusals, events: backend.events)
  }

  /// Creates a client whose requests carry the token.
  public func client(base: WebURL, transport: any HTTPTransport, options: APIOptions = APIOptions()) -> APIClient {
    APIClient(base: base, transport: transport, interceptor: interceptor, options: options)
  }
}
