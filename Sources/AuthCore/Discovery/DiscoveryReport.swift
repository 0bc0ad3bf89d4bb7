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

  /// The metadata of all documents together; nil if there is none. One server may publish two documents, each with
  /// endpoints that the other lacks.
  package var metadata: ServerMetadata? {
    guard var merged = documents.first?.metadata else { return nil }
    for document in documents.dropFirst() { merged.merge(document.metadata) }
    return merged
  }

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

extension DiscoveryReport {
  /// Returns the error of a discovery that has found no usable document.
  package func failure(of issuer: String) -> AuthError {
    let what = "discovery of \(issuer)"
    if let passing = misses.first(where: \.isTemporary) {
      guard !passing.isUntrusted else {
        return .tryLater(what, why: passing.sentence, remedy: .trustCertificate)
      }
      return .tryLater(
        what, why: passing.sentence, hint: "check the network and the issuer's address",
        remedy: .tryAgain(after: nil))
    }
    if misses.contains(where: \.isPlainHTTP) {
      return .refused(what, why: misses.sentences, hint: DiscoveryMiss.plainHTTPHint)
    }
    let published = misses.compactMap(\.otherIssuer).first { IssuerDiscovery.isSame($0, as: issuer) }
    return .refused(
      what, why: misses.sentences,
      hint: published.map { "use exactly the issuer value that the server publishes: \(ShellWord.quoted($0))" }
        ?? "use exactly the issuer value that the server publishes, or set [endpoints] in the profile")
  }
}

/// An authorization server that discovery has found.
package struct DiscoveredServer: Sendable {
  /// The issuer exactly as the server publishes it.
  package let issuer: String
  /// The metadata of its documents.
  package let metadata: ServerMetadata
  /// `scopes_supported` of all documents.
  package let scopesSupported: [String]
  /// Whether it publishes the document of RFC 8414.
  package let isOAuth: Bool
  /// Whether it publishes the document of OpenID Connect.
  package let isOpenID: Bool

  /// Creates a server from its documents; nil if there is none.
  init?(_ issuer: String, _ report: DiscoveryReport) {
    guard let metadata = report.metadata else { return nil }
    self.issuer = issuer
    self.metadata = metadata
    scopesSupported = report.documents.flatMap { $0.members["scopes_supported"]?.strings ?? [] }
    let isOpenID = report.documents.map { $0.url.path.ends(withBytes: "/.well-known/openid-configuration") }
    self.isOpenID = isOpenID.contains(true)
    isOAuth = isOpenID.contains(false)
  }
}
