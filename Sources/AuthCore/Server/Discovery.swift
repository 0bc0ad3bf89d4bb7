/// Finds a server's metadata from its issuer.
struct Discovery: Sendable {
  let issuer: String
  let connection: ServerConnection
  /// Whether the client presents a certificate, for which a server may have other endpoints.
  var usesMTLS = false

  /// Fetches and merges the documents at both well-known URLs. One server may publish two documents, each with
  /// endpoints that the other lacks.
  ///
  /// - Throws: ``AuthError/tryLater(_:)`` if one URL is unreachable and the other has no document,
  ///   ``AuthError/refused(_:)`` if both respond without a usable document.
  func metadata() async throws(AuthError) -> ServerMetadata {
    let report = try await report()
    guard var merged = report.documents.first?.metadata else { throw failure(report.misses) }
    for document in report.documents.dropFirst() { merged.merge(document.metadata) }
    return merged
  }

  /// Returns the results from both well-known URLs.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if the issuer is not a URL.
  func report() async throws(AuthError) -> DiscoveryReport {
    let places = try places()
    async let first = look(at: places.oauth)
    async let second = look(at: places.openID)
    var documents: [DiscoveryReport.Document] = []
    var misses: [DiscoveryMiss] = []
    for finding in await [first, second] {
      switch finding {
      case .success(let document): documents.append(document)
      case .failure(let miss): misses.append(miss)
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
      throw .usage(
        .init("the issuer \(Escaped.text(issuer))", why: error.description, hint: "fix issuer in the profile"))
    }
  }

  private func look(at url: WebURL) async -> Result<DiscoveryReport.Document, DiscoveryMiss> {
    let members: JSONValue
    do throws(DiscoveryMiss) {
      members = try await connection.document(at: url).forClient(usingMTLS: usesMTLS)
    } catch {
      return .failure(error)
    }
    do throws(ServerMetadata.Unusable) {
      let metadata = try ServerMetadata(members, issuer: issuer)
      connection.events(.discovered(url: url.description))
      return .success(.init(url: url, members: members, metadata: metadata))
    } catch {
      return .failure(DiscoveryMiss(url, unusable: error.reason))
    }
  }

  private func failure(_ misses: [DiscoveryMiss]) -> AuthError {
    if let passing = misses.first(where: \.isTemporary) {
      let what = "discovery of \(issuer)"
      guard !passing.isUntrusted else {
        return .tryLater(.init(what, why: passing.sentence, remedy: .trustCertificate))
      }
      return .tryLater(
        .init(what, why: passing.sentence, hint: "check the network and the issuer's address; try again later"))
    }
    return .refused(
      .init(
        "discovery of \(issuer)", why: misses.map(\.sentence).joined(separator: "; "),
        hint: "use exactly the issuer value that the server publishes, or set [endpoints] in the profile"))
  }
}
