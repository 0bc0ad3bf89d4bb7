/// Finds an authorization server from its issuer or from the URL of a page below it (RFC 8414, OpenID Connect
/// Discovery).
package struct IssuerDiscovery: Sendable {
  private let url: WebURL
  private let connection: ServerConnection
  private let usesMTLS: Bool
  private let searchesAbove: Bool

  /// Creates the discovery of the server of a page; the URL has no query.
  ///
  /// - Parameters:
  ///   - usesMTLS: whether the client presents a certificate, for which a server may have other endpoints.
  ///   - searchesAbove: whether the issuer may be above the URL.
  package init(_ url: WebURL, connection: ServerConnection, usesMTLS: Bool = false, searchesAbove: Bool = true) {
    self.url = url
    self.connection = connection
    self.usesMTLS = usesMTLS
    self.searchesAbove = searchesAbove
  }

  /// Looks for metadata at the URL, then at the URLs above it.
  ///
  /// The metadata must be for the URL at which it is looked for, up to a slash at the end. The issuer is then the one
  /// that the server publishes.
  ///
  /// - Throws: ``DiscoveryFailure`` with each URL and the reason why it is not usable.
  package func find() async throws(DiscoveryFailure) -> DiscoveredServer {
    var failure = DiscoveryFailure()
    for candidate in candidates {
      let (report, issuer) = await look(at: candidate)
      if let server = DiscoveredServer(issuer, report) { return server }
      failure.misses += report.misses
      guard !failure.isFinal, !connection.isTimeUp else { break }
    }
    throw failure
  }

  private func look(at candidate: WebURL) async -> (DiscoveryReport, issuer: String) {
    let discovery = Discovery(issuer: candidate.string, connection: connection, usesMTLS: usesMTLS)
    // A URL that has been parsed has well-known URLs.
    guard let places = try? discovery.places() else {
      return (DiscoveryReport(documents: [], misses: []), candidate.string)
    }
    let fetched = await discovery.documents(at: places)
    let published = fetched.lazy.compactMap { try? $0.members.get()["issuer"]?.string }
      .first { IssuerDiscovery.isSame($0, as: candidate.string) }
    // Only the typed URL may differ by a slash: both documents must name the same issuer.
    let issuer = published ?? candidate.string
    let exact = Discovery(issuer: issuer, connection: connection, usesMTLS: usesMTLS)
    return (exact.report(fetched), issuer)
  }

  private var candidates: [WebURL] {
    guard searchesAbove else { return [url] }
    return url.foldersUpwards.map { WebURL(origin: url.origin, pathAndQuery: $0.isEmpty ? "/" : $0) }
  }

  /// Returns whether two issuers differ at most in a slash at the end.
  package static func isSame(_ issuer: String, as other: String) -> Bool {
    guard let one = try? WebURL(issuer), let two = try? WebURL(other) else { return issuer == other }
    return one.isSame(as: two)
  }
}

extension WebURL {
  /// The paths at which a search for metadata looks, without a slash at the end: that of the URL, those above it, and
  /// the empty one. Of a deep URL, only the nearest.
  var foldersUpwards: [String] {
    let segments = folder.split(atAny: "/", omittingEmptySubsequences: false).dropFirst()
    let folders = segments.indices.reversed().map { "/" + segments[...$0].joined(separator: "/") }
    return folders.prefix(7) + [""]
  }
}
