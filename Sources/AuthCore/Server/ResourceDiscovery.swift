import HTTPTypes

/// Finds the metadata of an API from its URL (RFC 9728). Tries the URL that the API's response to a request without a
/// token names (section 5.1), then the well-known URLs (section 3.1).
package struct ResourceDiscovery: Sendable {
  private let url: WebURL
  private let connection: ServerConnection

  /// The result of a discovery.
  package struct Finding: Sendable, Equatable {
    /// The API's URL: the given one, or one above it that the API publishes as its own.
    package let api: WebURL
    /// The API's metadata.
    package let metadata: ProtectedResourceMetadata
    /// The document's address.
    package let url: WebURL
    /// The scope in the API's challenge; empty if there is none.
    package let challengedScope: [String]
  }

  /// Creates the discovery of an API.
  package init(_ url: WebURL, connection: ServerConnection) {
    self.url = url
    self.connection = connection
  }

  /// Sends the API a request without a token, then reads the metadata from the URLs that may have it.
  ///
  /// The given URL may be below the API's own: if the metadata is for such an API, the discovery is repeated for that
  /// API, because metadata is used for its own resource only (RFC 9728, section 3.3).
  ///
  /// - Throws: ``AuthError/tryLater(_:)`` if nothing is found and a server can't be reached,
  ///   ``AuthError/refused(_:)`` if every response is unusable.
  package func find() async throws(AuthError) -> Finding {
    do {
      return try await search()
    } catch {
      guard let api = error.otherResources.first(where: isAbove) else {
        throw failure(error.misses)
      }
      let above = ResourceDiscovery(api, connection: connection)
      do {
        return try await above.search()
      } catch {
        throw above.failure(error.misses)
      }
    }
  }

  private func search() async throws(NothingFound) -> Finding {
    var nothing = NothingFound()
    var places = wellKnownPlaces
    var challengedScope: [String] = []
    switch await challenge() {
    case .success(let challenge):
      challengedScope = challenge.scope
      places.insert(Place(url: challenge.place, resource: url), at: 0)
    case .failure(let miss): nothing.misses.append(miss)
    }
    for (index, place) in places.enumerated() where !places[..<index].contains(place) {
      let document: JSONValue
      do throws(DiscoveryMiss) {
        document = try await connection.document(at: place.url)
      } catch {
        nothing.misses.append(error)
        continue
      }
      do throws(ProtectedResourceMetadata.Unusable) {
        let metadata = try ProtectedResourceMetadata(document, of: place.resource, at: place.url)
        connection.events(.discovered(url: place.url.description))
        return Finding(api: url, metadata: metadata, url: place.url, challengedScope: challengedScope)
      } catch {
        nothing.misses.append(DiscoveryMiss(place.url, unusable: error.reason))
        if let resource = error.otherResource { nothing.otherResources.append(resource) }
      }
    }
    throw nothing
  }

  /// Whether an API's URL is above the given one, on the same origin.
  private func isAbove(_ api: WebURL) -> Bool {
    api != url && api.query == nil && api.origin == url.origin && (url.path + "/").hasPrefix(api.folder + "/")
  }

  /// The error if there is no usable metadata; `otherResources` are the resources whose metadata was found instead.
  private struct NothingFound: Error {
    var misses: [DiscoveryMiss] = []
    var otherResources: [WebURL] = []
  }

  /// A possible URL of a document, and the resource that it must be for.
  private struct Place: Equatable {
    let url: WebURL
    let resource: WebURL
  }

  /// The well-known URL with the path of the API, and the one without it, which is for the whole origin.
  private var wellKnownPlaces: [Place] {
    let path = url.path == "/" ? "" : url.path
    let query = url.query.map { "?" + $0 } ?? ""
    let suffixes = path.isEmpty && query.isEmpty ? [""] : [path + query, ""]
    return suffixes.map { suffix in
      Place(
        url: WebURL(origin: url.origin, pathAndQuery: "/.well-known/oauth-protected-resource" + suffix),
        resource: suffix.isEmpty ? WebURL(origin: url.origin, pathAndQuery: "/") : url)
    }
  }

  private func challenge() async -> Result<(place: WebURL, scope: [String]), DiscoveryMiss> {
    var transfer = Transfer(method: .get, url: url)
    // The body of an unauthorized response is not needed.
    transfer.destination = { _ in .discard }
    let response: TransferResponse
    do {
      response = try await connection.send(transfer)
    } catch {
      return .failure(DiscoveryMiss(url, error))
    }
    let challenges = Challenge.all(in: response.fields)
    guard let challenge = challenges.first(where: { $0["resource_metadata"] != nil }),
      let text = challenge["resource_metadata"]
    else { return .failure(DiscoveryMiss(url, status: response.status, but: " and names no resource_metadata")) }
    do {
      let place = try WebURL(text)
      try place.checkNamed(by: url)
      return .success((place, challenge.words("scope")))
    } catch {
      let reason = "the resource_metadata '\(Escaped.text(text))' of \(url) is not usable: \(error)"
      return .failure(DiscoveryMiss(url, reason: reason, sentence: reason))
    }
  }

  private func failure(_ misses: [DiscoveryMiss]) -> AuthError {
    let (what, why) = ("discovery of \(url)", misses.map(\.sentence).joined(separator: "; "))
    if misses.contains(where: \.isUntrusted) {
      return .tryLater(.init(what, why: why, remedy: .trustCertificate))
    }
    if misses.contains(where: \.isTemporary) {
      return .tryLater(.init(what, why: why, hint: "check the network and the API's address; try again later"))
    }
    return .refused(.init(what, why: why, remedy: .giveIssuer(api: url.description)))
  }
}
