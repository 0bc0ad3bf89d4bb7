/// The results of discovery, location by location, for callers that show a server instead of using it.
package struct DiscoveryReport: Sendable {
  /// A document that is usable, and where it is.
  package struct Document: Sendable {
    /// The document's address.
    package let url: WebURL
    /// Its members as the server wrote them, with the endpoints that hold for this client's authentication.
    package let members: JSONValue
    /// The same, checked and typed.
    let metadata: ServerMetadata
  }

  /// The documents, in the order in which their members count: RFC 8414's first, OpenID Connect's second.
  package let documents: [Document]
  /// The places without one.
  package let misses: [DiscoveryMiss]

  /// The first document that has the member as a string, and the member.
  package func string(_ name: String) -> (value: String, from: WebURL)? {
    for document in documents {
      if let value = document.members[name]?.string { return (value, document.url) }
    }
    return nil
  }

  /// The strings of a member of the first document that has it; nil where none has.
  package func strings(_ name: String) -> [String]? {
    documents.lazy.compactMap { $0.members[name]?.strings }.first
  }
}

extension AuthorizationServer {
  /// Asks at both well-known places of the profile's issuer; nil where the profile names none.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where the issuer is no URL.
  package func discoveryReport() async throws(AuthError) -> DiscoveryReport? {
    guard let issuer = profile.issuer else { return nil }
    return try await Discovery(
      issuer: issuer, connection: connection, usesMTLS: profile.clientAuthentication == .tls
    ).report()
  }
}
