import FoundationEssentials
import HTTPTypes

/// Fetches the key set of a server.
struct KeySetDocument: Sendable {
  /// `jwks_uri` (RFC 8414, section 2)
  let url: WebURL
  /// How the server is reached.
  let connection: ServerConnection

  /// Fetches the key set, bypassing caches if `fresh` is true.
  ///
  /// The size of the response is limited by the transfer itself, to 1 MiB.
  ///
  /// - Throws: ``AuthError/tryLater(_:)`` if it is unavailable for now, ``AuthError/refused(_:)`` if it is not a key
  ///   set.
  func fetch(fresh: Bool) async throws(AuthError) -> KeySet {
    let response: TransferResponse
    do {
      response = try await connection.get(url, fields: fresh ? [.cacheControl: "no-cache"] : [:])
    } catch {
      guard !error.isUnusable else { throw unusable(error.description) }
      guard !error.isUntrusted else {
        throw AuthError.tryLater(error.explanation("fetching the server's keys from \(url)", hint: ""))
      }
      throw unavailable(error.description)
    }
    switch response.status {
    case 200: break
    case let status where TransientStatus.meansUnavailable(status): throw unavailable("it returned \(response.status)")
    default: throw unusable("it returned \(response.status)")
    }
    do {
      return try KeySet(JSONValue(parsing: response.body))
    } catch let error as KeySet.Malformed {
      throw unusable(error.reason)
    } catch {
      throw unusable("it is not JSON")
    }
  }

  private func unavailable(_ why: String) -> AuthError {
    .tryLater(
      .init(
        "fetching the server's keys from \(url)", why: why, hint: "nothing was stored; log in again later"))
  }

  private func unusable(_ why: String) -> AuthError {
    .refused(
      .init(
        "fetching the server's keys from \(url)", why: why,
        hint: "nothing was stored; ask the server's operator, or name the key set: jwks in [endpoints]"))
  }
}
