import FoundationEssentials
import HTTPTypes

/// Fetches the key set of a server.
struct KeySetDocument: Sendable {
  /// `jwks_uri` (RFC 8414, section 2)
  let url: WebURL
  /// The connection to the server.
  let connection: ServerConnection

  /// Fetches the key set, bypassing caches if `fresh` is true.
  ///
  /// The size of the response is limited by the transfer itself, to 1 MiB.
  ///
  /// - Throws: ``AuthError/tryLater(_:)`` if it is unavailable for now, ``AuthError/refused(_:)`` if it is not a key
  ///   set.
  func fetch(fresh: Bool) async throws(AuthError) -> KeySet {
    let document: JSONValue
    do throws(DiscoveryMiss) {
      document = try await connection.document(at: url, fields: fresh ? [.cacheControl: "no-cache"] : [:])
    } catch {
      guard error.isTemporary else { throw unusable(error.reason) }
      throw .tryLater(
        what, why: error.reason, hint: error.isUntrusted ? "" : "nothing was stored; log in again later",
        remedy: error.isUntrusted ? .trustCertificate : nil)
    }
    do throws(KeySet.Malformed) { return try KeySet(document) } catch { throw unusable(error.reason) }
  }

  /// Verifies the signature of a token. If no key fits, the set may have just changed: it is fetched again, bypassing
  /// all caches.
  ///
  /// - Throws: as ``fetch(fresh:)``.
  func verify(_ token: SignedToken) async throws(AuthError) -> KeySet.Outcome {
    let outcome = try await fetch(fresh: false).verify(token)
    guard outcome == .noKey || (outcome == .wrong && token.keyID == nil) else { return outcome }
    return try await fetch(fresh: true).verify(token)
  }

  private var what: String { "fetching the server's keys from \(url)" }

  private func unusable(_ why: String) -> AuthError {
    .refused(
      what, why: why,
      hint: "nothing was stored; ask the server's operator, or name the key set: jwks in [endpoints]")
  }
}
