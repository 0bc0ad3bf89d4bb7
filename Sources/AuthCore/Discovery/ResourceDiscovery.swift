import HTTPTypes
import Synchronization

/// Finds the metadata of an API from its URL (RFC 9728). Tries the URL that the API's response to a request without a
/// token names (section 5.1), then the well-known URLs (section 3.1).
package struct ResourceDiscovery: Sendable {
  private let url: WebURL
  private let connection: ServerConnection

  /// The metadata that was found.
  package struct Finding: Sendable, Equatable {
    /// The API's metadata.
    package let metadata: ProtectedResourceMetadata
    /// The document's address.
    package let url: WebURL
    /// The scope in the API's challenge; empty if there is none.
    package let challengedScope: [String]
  }

  /// Creates the discovery of an API; the URL has no query.
  package init(_ url: WebURL, connection: ServerConnection) {
    self.url = url
    var connection = connection
    connection.isForServer = false
    self.connection = connection
  }

  /// Sends the API a request without a token, then reads the metadata from the URLs that may have it.
  ///
  /// - Throws: ``DiscoveryFailure`` with each URL and the reason why it is not usable.
  package func find() async throws(DiscoveryFailure) -> Finding {
    var failure = DiscoveryFailure()
    var places = wellKnownPlaces
    var challengedScope: [String] = []
    var hinted: WebURL?
    do throws(DiscoveryMiss) {
      let challenge = try await challenge()
      challengedScope = challenge.scope
      hinted = challenge.place
      places.removeAll { $0 == challenge.place }
      places.insert(challenge.place, at: 0)
    } catch {
      failure.misses.append(error)
      guard !error.isUnreachable, !connection.isTimeUp else { throw failure }
    }
    for place in places {
      do throws(DiscoveryMiss) {
        let metadata = try await metadata(at: place, isHinted: place == hinted)
        connection.events(.discovered(url: place.description))
        return Finding(metadata: metadata, url: place, challengedScope: challengedScope)
      } catch {
        failure.misses.append(error)
        guard !error.isUnsafe, !connection.isTimeUp else { throw failure }
      }
    }
    throw failure
  }

  private func metadata(
    at place: WebURL, isHinted: Bool
  ) async throws(DiscoveryMiss) -> ProtectedResourceMetadata {
    let document = try await connection.publishedDocument(at: place)
    do {
      return try ProtectedResourceMetadata(document, for: url, at: place)
    } catch {
      var miss = DiscoveryMiss(place, unusable: error.reason)
      // The document above the URL, or the one that the API names, may be for another API of the origin, which does
      // not describe this URL.
      let isOfNeighbour = (isHinted || place != wellKnownPlaces.first) && error.otherResource?.origin == url.origin
      miss.isUnsafe = error.isUnsafe && !isOfNeighbour
      if isHinted, isOfNeighbour { miss.neighbourIssuer = error.otherIssuers.first }
      throw miss
    }
  }

  /// The well-known URL with the path of the API, those with the paths above it, and the one of the whole origin.
  private var wellKnownPlaces: [WebURL] {
    let given = url.path.ends(withBytes: "/") && !url.folder.isEmpty ? [url.path] : []
    return (given + url.foldersUpwards)
      .map { WebURL(origin: url.origin, pathAndQuery: "/.well-known/oauth-protected-resource" + $0) }
  }

  private func challenge() async throws(DiscoveryMiss) -> (place: WebURL, scope: [String]) {
    let response = try await connection.following(url) { url throws(DiscoveryMiss) in try await header(of: url) }
    let challenges = Challenge.all(in: response.fields)
    guard let challenge = challenges.first(where: { $0["resource_metadata"] != nil }),
      let text = challenge["resource_metadata"]
    else {
      let isPage = response.fields[.contentType]?.lowercased().starts(withBytes: "text/html") == true
      let but = (isPage ? " (a web page)" : "") + " and names no resource_metadata"
      throw DiscoveryMiss(url, status: response.status, but: but)
    }
    do {
      let place = try WebURL(text)
      try place.checkNamed(by: url)
      return (place, challenge.words("scope"))
    } catch {
      let reason = "the resource_metadata '\(Escaped.text(text))' of \(url) is not usable: \(error)"
      throw DiscoveryMiss(url, reason: reason, sentence: reason)
    }
  }

  private func header(of url: WebURL) async throws(DiscoveryMiss) -> TransferResponse {
    var brief = connection
    brief.network.timeout = min(ResourceDiscovery.patience, connection.network.timeout ?? ResourceDiscovery.patience)
    do throws(ServerConnection.Unreachable) { return try await brief.header(of: url) } catch {
      throw DiscoveryMiss(url, error)
    }
  }

  /// The time limit for reading the API's response.
  private static let patience: Duration = .seconds(10)
}

extension ServerConnection {
  /// Sends a GET without a token, follows no redirect, and returns the response without its body.
  package func header(of url: WebURL) async throws(Unreachable) -> TransferResponse {
    var transfer = Transfer(method: .get, url: url)
    transfer.destination = { _ in .discard }
    return try await header(after: transfer)
  }

  /// Sends a request of which only the response's header is needed: an endless body is cut off.
  func header(after transfer: Transfer) async throws(Unreachable) -> TransferResponse {
    let arrived = Mutex<TransferResponse?>(nil)
    var noted = transfer
    noted.destination = { response in
      arrived.withLock { $0 = response }
      return try transfer.destination(response)
    }
    do throws(Unreachable) {
      return try await send(noted)
    } catch {
      guard let response = arrived.withLock(\.self) else { throw error }
      return response
    }
  }
}
