/// What discovery finds, place by place: for whoever shows a server rather than uses it.
public struct DiscoveryReport: Sendable {
  /// A document that is usable, and where it is.
  public struct Document: Sendable {
    /// The document's address.
    public let url: WebURL
    /// Its members, as the server wrote them.
    public let members: JSONValue
  }

  /// A place without a usable document.
  public struct Miss: Sendable {
    /// The place.
    public let url: WebURL
    /// Why there is none.
    public let reason: String
    /// Whether asking later may help: the network or a 5xx.
    public let isTemporary: Bool
  }

  /// The documents, in the order in which their members count: RFC 8414's first, OpenID Connect's second.
  public let documents: [Document]
  /// The places without one.
  public let misses: [Miss]

  /// The first document that has the member as a string, and the member.
  public func string(_ name: String) -> (value: String, from: WebURL)? {
    for document in documents {
      if let value = document.members[name]?.string { return (value, document.url) }
    }
    return nil
  }

  /// The strings of a member of the first document that has it; nil where none has.
  public func strings(_ name: String) -> [String]? {
    documents.lazy.compactMap { $0.members[name]?.strings }.first
  }
}

extension AuthorizationServer {
  /// Asks at both well-known places of the profile's issuer; nil where the profile names none.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where the issuer is no URL.
  public func discoveryReport() async throws(AuthError) -> DiscoveryReport? {
    guard let issuer = profile.issuer else { return nil }
    let discovery = Discovery(issuer: issuer, connection: connection)
    let places = try discovery.places()
    var documents: [DiscoveryReport.Document] = []
    var misses: [DiscoveryReport.Miss] = []
    for url in [places.oauth, places.openID] where !documents.contains(where: { $0.url == url }) {
      switch await discovery.look(at: url) {
      case .success(let members): documents.append(.init(url: url, members: members))
      case .failure(let miss): misses.append(.init(url: url, reason: miss.reason, isTemporary: miss.isTemporary))
      }
    }
    return DiscoveryReport(documents: documents, misses: misses)
  }
}

extension Discovery {
  struct Missing: Error {
    let reason: String
    let isTemporary: Bool
  }

  fileprivate func look(at url: WebURL) async -> Result<JSONValue, Missing> {
    do {
      let answer = try await connection.get(url)
      guard answer.status == 200 else {
        let isTemporary = TransientStatus.meansUnavailable(answer.status)
        return .failure(Missing(reason: "it answers \(answer.status)", isTemporary: isTemporary))
      }
      let members = try JSONValue(parsing: answer.body)
      _ = try ServerMetadata(members, issuer: issuer)
      return .success(members)
    } catch let error as ServerConnection.Unreachable {
      return .failure(Missing(reason: error.description, isTemporary: true))
    } catch let error as ServerMetadata.Unusable {
      return .failure(Missing(reason: error.reason, isTemporary: false))
    } catch {
      return .failure(Missing(reason: "it is not JSON", isTemporary: false))
    }
  }
}
