/// The metadata of a protected resource, such as an API (RFC 9728, section 2).
package struct ProtectedResourceMetadata: Sendable, Equatable {
  /// `resource`: the API's identifier, as it is written in the document.
  package let resource: String
  /// `authorization_servers`: their issuers; empty if the document names none.
  package let authorizationServers: [String]
  /// `scopes_supported`: the scopes that can be requested; empty if not stated.
  package let scopesSupported: [String]
  /// `bearer_methods_supported`: the methods to send a token; nil if not stated.
  package let bearerMethodsSupported: [String]?
  /// `dpop_bound_access_tokens_required`: whether the API accepts only tokens that are bound to a key (RFC 9449).
  package let dpopBoundAccessTokensRequired: Bool

  /// The reason why a document is not the metadata of a resource.
  struct Unusable: Error, Equatable {
    let reason: String
    /// The resource that the metadata is for, if it is another one.
    var otherResource: WebURL?
  }

  /// Reads a metadata document.
  ///
  /// - Parameters:
  ///   - expected: the resource that the metadata must be for: the requested address, or the one into which the
  ///     well-known part was inserted (section 3.3).
  ///   - place: the document's own address: an API on loopback may name a URL on another machine.
  /// - Throws: ``Unusable`` if it is for another resource, or if an authorization server's address is not secure or,
  ///   unlike the resource and the document, is on loopback.
  init(_ document: JSONValue, of expected: WebURL, at place: WebURL) throws(Unusable) {
    guard let resource = document["resource"]?.string else { throw Unusable(reason: "it has no resource") }
    let shown = Escaped.text(resource)
    let url: WebURL
    do {
      url = try WebURL(resource)
    } catch {
      throw Unusable(reason: "its resource '\(shown)' is not usable: \(error)")
    }
    // Only differences that every client ignores are ignored: the case of the host, the default port, the empty path.
    guard url == expected, !resource.contains("#") else {
      throw Unusable(reason: "the metadata is for resource '\(shown)'", otherResource: url)
    }
    self.resource = resource
    authorizationServers = document["authorization_servers"]?.strings ?? []
    for issuer in authorizationServers { try ProtectedResourceMetadata.check(issuer, namedBy: expected, place) }
    scopesSupported = Challenge.words(of: document["scopes_supported"]?.strings ?? [])
    bearerMethodsSupported = document["bearer_methods_supported"]?.strings
    dpopBoundAccessTokensRequired = document["dpop_bound_access_tokens_required"]?.bool ?? false
  }

  private static func check(_ issuer: String, namedBy sources: WebURL...) throws(Unusable) {
    do {
      for source in sources { try WebURL(issuer).checkNamed(by: source) }
    } catch {
      throw Unusable(reason: "its authorization server '\(Escaped.text(issuer))' is not usable: \(error)")
    }
  }
}

extension WebURL {
  /// Checks that an API may name this URL. It must use TLS, and a remote API must not name a loopback address
  /// (RFC 9728, section 7.7).
  ///
  /// - Throws: ``Invalid`` with the reason.
  func checkNamed(by source: WebURL) throws(Invalid) {
    guard origin.isSecure else { throw Invalid(description: "it is plain http") }
    guard !origin.isLoopback || source.origin.isLoopback else {
      throw Invalid(description: "it is on this machine, but \(source.origin) is not")
    }
  }
}
