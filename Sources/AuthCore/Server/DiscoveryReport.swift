/// The results of discovery, location by location, for callers that show a server instead of using it.
public struct DiscoveryReport: Sendable {
  /// A document that is usable, and where it is.
  public struct Document: Sendable {
    /// The document's address.
    public let url: WebURL
    /// Its members as the server wrote them, with the endpoints that hold for this client's authentication.
    public let members: JSONValue
    /// The same, checked and typed.
    let metadata: ServerMetadata
  }

  /// A place without a usable document.
  public struct Miss: Error {
    /// The place.
    public let url: WebURL
    /// Why there is none.
    public let reason: String
    /// Whether asking later may help: the network or a 5xx.
    public let isTemporary: Bool
    /// Whether the server's certificate was not accepted.
    var isUntrusted = false
    /// The reason as a sentence of its own, for an error.
    let sentence: String
  }

  /// The documents, in the order in which their members count: RFC 8414's first, OpenID Connect's second.
  public let documents: [Document]
  /// The places without one.
  public let misses: [Miss]

  /// The first document that has the member as a string, and the member.
  public func string(_ name: String) -> (value: String, from: WebURL)? {
    for document in documents {
      if let value = document.members[name]?.string { return (value, document.url) }
    }
    return nil
  }

  /// The strings of a member of the first document that has it; nil where none has.
  public func strings(_ name: String) -> [String]? {
    documents.lazy.compactMap { $0.members[name]?.strings }.first
  }
}

extension AuthorizationServer {
  /// Asks at both well-known places of the profile's issuer; nil where the profile names none.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where the issuer is no URL.
  public func discoveryReport() async throws(AuthError) -> DiscoveryReport? {
    guard let issuer = profile.issuer else { return nil }
    return try await Discovery(
      issuer: issuer, connection: connection, usesMTLS: profile.clientAuthentication == .tls
    ).report()
  }
}
