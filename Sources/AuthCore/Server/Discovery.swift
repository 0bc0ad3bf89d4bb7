/// Finds a server's metadata from its issuer.
struct Discovery: Sendable {
  let issuer: String
  let connection: ServerConnection
  /// Whether the client shows a certificate, for which a server may have other endpoints.
  var usesMTLS = false

  /// Asks at both well-known places and merges the answers: one server may publish two documents of which each lacks
  /// endpoints that the other has.
  ///
  /// - Throws: ``AuthError/tryLater(_:)`` where a place can't be reached and the other has nothing,
  ///   ``AuthError/refused(_:)`` where both answer but with nothing usable.
  func metadata() async throws(AuthError) -> ServerMetadata {
    let places = try places()
    async let first = document(at: places.oauth)
    async let second = document(at: places.openID)
    let found = await [first, second]
    var merged: ServerMetadata?
    for case .success(let metadata) in found {
      if merged == nil { merged = metadata } else { merged?.merge(metadata) }
    }
    if let merged { return merged }
    throw failure(found)
  }

  /// With a path in the issuer, RFC 8414 (section 3.1) puts the well-known part before it, OpenID Connect after it.
  func places() throws(AuthError) -> (oauth: WebURL, openID: WebURL) {
    do {
      let base = try WebURL(issuer)
      let path = base.path.hasSuffix("/") ? String(base.path.dropLast()) : base.path
      return (
        oauth: try WebURL(base.origin.string + "/.well-known/oauth-authorization-server" + path),
        openID: try WebURL(base.origin.string + path + "/.well-known/openid-configuration")
      )
    } catch {
      throw .usage(.init("the issuer \(Printable.text(issuer))", why: error.description, hint: "mend the profile"))
    }
  }

  private enum Miss: Error {
    case unreachable(String)
    case absent(String)
  }

  private func document(at url: WebURL) async -> Result<ServerMetadata, Miss> {
    let answer: HTTPAnswer
    do {
      answer = try await connection.get(url)
    } catch {
      return .failure(error.isNonsense ? .absent("\(url): \(error.description)") : .unreachable(error.description))
    }
    guard answer.status == 200 else {
      let reason = "\(url) answers \(answer.status)"
      return .failure(TransientStatus.meansUnavailable(answer.status) ? .unreachable(reason) : .absent(reason))
    }
    do {
      let metadata = try ServerMetadata(JSONValue(parsing: answer.body), issuer: issuer, usesMTLS: usesMTLS)
      connection.events(.discovered(url: url.description))
      return .success(metadata)
    } catch let error as ServerMetadata.Unusable {
      return .failure(.absent("\(url) is not usable: \(error.reason)"))
    } catch {
      return .failure(.absent("\(url) is not JSON"))
    }
  }

  private func failure(_ found: [Result<ServerMetadata, Miss>]) -> AuthError {
    var absent: [String] = []
    for case .failure(let miss) in found {
      switch miss {
      case .unreachable(let reason):
        return .tryLater(
          .init(
            "discovery of \(issuer)", why: reason, hint: "check the network and the issuer's address; try again later"))
      case .absent(let reason): absent.append(reason)
      }
    }
    return .refused(
      .init(
        "discovery of \(issuer)", why: absent.joined(separator: "; "),
        hint: "give the issuer exactly as the server does, or state [endpoints] in the profile"))
  }
}
