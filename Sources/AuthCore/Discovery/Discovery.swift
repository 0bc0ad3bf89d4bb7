/// Finds a server's metadata from its issuer.
package struct Discovery: Sendable {
  let issuer: String
  let connection: ServerConnection
  /// Whether the client presents a certificate, for which a server may have other endpoints.
  let usesMTLS: Bool

  /// Creates the discovery of an issuer.
  package init(issuer: String, connection: ServerConnection, usesMTLS: Bool = false) {
    self.issuer = issuer
    self.connection = connection
    self.usesMTLS = usesMTLS
  }

  /// Fetches and merges the documents at both well-known URLs.
  ///
  /// - Throws: ``AuthError/tryLater(_:)`` if one URL is unreachable and the other has no document,
  ///   ``AuthError/refused(_:)`` if both respond without a usable document.
  func metadata() async throws(AuthError) -> ServerMetadata {
    let report = try await report()
    guard let metadata = report.metadata else { throw report.failure(of: issuer) }
    return metadata
  }

  /// Finds the server of the issuer, which its documents must name exactly (RFC 8414, section 3.3).
  ///
  /// - Throws: ``DiscoveryFailure`` with each URL and the reason why it is not usable.
  package func server() async throws(DiscoveryFailure) -> DiscoveredServer {
    // A text that is not a URL has no places to try.
    let fetched = if let places = try? places() { await documents(at: places) } else { [Fetched]() }
    let report = report(fetched)
    guard let server = DiscoveredServer(issuer, report) else { throw DiscoveryFailure(misses: report.misses) }
    return server
  }

  /// Returns the results from both well-known URLs.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if the issuer is not a URL.
  func report() async throws(AuthError) -> DiscoveryReport {
    report(await documents(at: try places()))
  }

  /// Returns the results for documents that have been fetched; only those of the issuer are usable.
  func report(_ fetched: [Fetched]) -> DiscoveryReport {
    var documents: [DiscoveryReport.Document] = []
    var misses: [DiscoveryMiss] = []
    for fetched in fetched {
      do throws(DiscoveryMiss) {
        documents.append(try document(fetched.url, try fetched.members.get()))
      } catch {
        misses.append(error)
      }
    }
    return DiscoveryReport(documents: documents, misses: misses)
  }

  /// Returns the well-known URLs. For an issuer with a path, RFC 8414 (section 3.1) inserts the well-known part before
  /// the path, and OpenID Connect appends it.
  func places() throws(AuthError) -> (oauth: WebURL, openID: WebURL) {
    do {
      let base = try WebURL(issuer)
      return (
        oauth: try WebURL(base.origin.string + "/.well-known/oauth-authorization-server" + base.folder),
        openID: try base.appending(".well-known/openid-configuration")
      )
    } catch {
      throw .usage("the issuer \(Escaped.text(issuer))", why: error.description, hint: "fix issuer in the profile")
    }
  }

  /// The response of a well-known URL.
  struct Fetched: Sendable {
    let url: WebURL
    let members: Result<JSONValue, DiscoveryMiss>
  }

  /// Fetches the documents at the well-known URLs, whatever issuer they name.
  func documents(at places: (oauth: WebURL, openID: WebURL)) async -> [Fetched] {
    async let first = fetch(places.oauth, connection.numbered(1))
    async let second = fetch(places.openID, connection.numbered(2))
    return await [first, second]
  }

  private func fetch(_ url: WebURL, _ connection: ServerConnection) async -> Fetched {
    do throws(DiscoveryMiss) {
      let members = try await connection.publishedDocument(at: url).forClient(usingMTLS: usesMTLS)
      return Fetched(url: url, members: .success(members))
    } catch {
      return Fetched(url: url, members: .failure(error))
    }
  }

  private func document(_ url: WebURL, _ members: JSONValue) throws(DiscoveryMiss) -> DiscoveryReport.Document {
    do throws(ServerMetadata.Unusable) {
      let metadata = try ServerMetadata(members, issuer: issuer)
      connection.events(.discovered(url: url.description))
      return .init(url: url, members: members, metadata: metadata)
    } catch {
      var miss = DiscoveryMiss(url, unusable: error.reason)
      let stated = members["issuer"]?.string
      miss.otherIssuer = stated == issuer ? nil : stated
      miss.isUnsafe = stated == issuer
      miss.isPlainHTTP = error.isPlainHTTP
      throw miss
    }
  }
}
