/// The results of discovery, location by location, for callers that show a server instead of using it.
package struct DiscoveryReport: Sendable {
  /// A usable document and its address.
  package struct Document: Sendable {
    /// The document's address.
    package let url: WebURL
    /// The members as the server sent them, with the endpoints for this client's authentication.
    package let members: JSONValue
    /// The same members, checked and typed.
    let metadata: ServerMetadata
  }

  /// The documents in order of precedence: RFC 8414's first, OpenID Connect's second.
  package let documents: [Document]
  /// The URLs without a usable document.
  package let misses: [DiscoveryMiss]

  /// Returns the member from the first document that has it as a string, and the document's address.
  package func string(_ name: String) -> (value: String, from: WebURL)? {
    for document in documents {
      if let value = document.members[name]?.string { return (value, document.url) }
    }
    return nil
  }

  /// Returns the strings of a member from the first document that has it; nil if none has it.
  package func strings(_ name: String) -> [String]? {
    documents.lazy.compactMap { $0.members[name]?.strings }.first
  }
}

extension AuthorizationServer {
  /// Fetches both well-known documents of the profile's issuer; nil if the profile names no issuer.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if the issuer is not a URL.
  package func discoveryReport() async throws(AuthError) -> DiscoveryReport? {
    guard let issuer = profile.issuer else { return nil }
    return try await Discovery(
      issuer: issuer, connection: connection, usesMTLS: profile.clientAuthentication == .tls
    ).report()
  }
}
