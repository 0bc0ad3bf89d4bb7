/// The metadata of a protected resource, such as an API (RFC 9728, section 2).
package struct ProtectedResourceMetadata: Sendable, Equatable {
  /// `resource`: the API's identifier, as it is written in the document.
  package let resource: String
  /// The URL in ``resource``.
  package let url: WebURL
  /// `authorization_servers`: their issuers without duplicates; empty if the document names none.
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
    /// Whether there is metadata, but it must not be used for this resource.
    var isUnsafe = false
    /// The resource that the metadata is for, if it is another one.
    var otherResource: WebURL?
    /// The issuers that this other resource names.
    var otherIssuers: [String] = []
  }

  /// Reads a metadata document.
  ///
  /// - Parameters:
  ///   - address: the URL for which metadata is wanted. The metadata must be for this URL, for one above it, or for one
  ///     below it. RFC 9728, section 3.3 wants equality, but an address that a person types is rarely the identifier.
  ///   - place: the document's own address: an API on loopback may name a URL on another machine.
  /// - Throws: ``Unusable`` if it is for another resource, or if an authorization server's address is not secure or,
  ///   unlike the resource and the document, is on loopback.
  init(_ document: JSONValue, for address: WebURL, at place: WebURL) throws(Unusable) {
    guard let resource = document["resource"]?.string else { throw Unusable(reason: "it has no resource") }
    let shown = WebURL.shown(resource)
    do {
      url = try WebURL(resource)
    } catch {
      throw Unusable(reason: "its resource '\(shown)' is not usable: \(error)")
    }
    guard url.query == nil, !resource.contains(bytes: "#") else {
      throw Unusable(reason: "its resource '\(shown)' has a query or a fragment", isUnsafe: true)
    }
    guard url.isAbove(address) || address.isAbove(url) else {
      // Issuers that must not be used are not named.
      let issuers = try? ProtectedResourceMetadata.servers(document, namedBy: [address, place])
      throw Unusable(
        reason: "the metadata is for resource '\(shown)'", isUnsafe: true, otherResource: url,
        otherIssuers: issuers ?? [])
    }
    self.resource = resource
    authorizationServers = try ProtectedResourceMetadata.servers(document, namedBy: [address, place])
    scopesSupported = Challenge.words(of: document["scopes_supported"]?.strings ?? [])
    bearerMethodsSupported = document["bearer_methods_supported"]?.strings
    dpopBoundAccessTokensRequired = document["dpop_bound_access_tokens_required"]?.bool ?? false
  }

  private static func servers(_ document: JSONValue, namedBy sources: [WebURL]) throws(Unusable) -> [String] {
    var issuers: [String] = []
    var known: Set<String> = []
    for issuer in document["authorization_servers"]?.strings ?? [] where known.insert(issuer).inserted {
      do {
        for source in sources { try WebURL(issuer).checkNamed(by: source) }
      } catch {
        throw Unusable(
          reason: "its authorization server '\(WebURL.shown(issuer))' is not usable: \(error)", isUnsafe: true)
      }
      issuers.append(issuer)
    }
    return issuers
  }
}

extension WebURL {
  /// Checks that an API may name this URL. It must use TLS, or the API must be on this machine, too; a remote API must
  /// not name a loopback address (RFC 9728, section 7.7).
  ///
  /// - Throws: ``Invalid`` with the reason.
  func checkNamed(by source: WebURL) throws(Invalid) {
    guard origin.isSecure else { throw Invalid(description: "it is plain http") }
    guard !origin.isLoopback || source.origin.isLoopback else {
      throw Invalid(description: "it is on this machine, but \(source.origin) is not")
    }
  }

  /// Returns whether another URL is this one or is below it, by whole segments of the path. A slash at the end and the
  /// query do not count.
  package func isAbove(_ other: WebURL) -> Bool {
    origin == other.origin && (other.folder + "/").starts(withBytes: folder + "/")
  }

  /// Returns whether two URLs differ at most in a slash at the end of the path.
  package func isSame(as other: WebURL) -> Bool { isAbove(other) && other.isAbove(self) && query == other.query }
}
