import HTTPTypes

/// A URL without a usable document, and the reason.
package struct DiscoveryMiss: Error, Sendable {
  /// The URL.
  package let url: WebURL
  /// The reason, for a line that already shows the URL.
  package let reason: String
  /// The reason as a sentence of its own.
  let sentence: String
  /// Whether a later request may help: the network failed, or the server returned a 5xx.
  package private(set) var isTemporary = false
  /// Whether the server's certificate was not accepted.
  private(set) var isUntrusted = false

  /// Describes a URL that can't be reached.
  init(_ url: WebURL, _ error: ServerConnection.Unreachable) {
    self.init(
      url, reason: error.description, sentence: error.isUnusable ? "\(url): \(error.description)" : error.description)
    isTemporary = !error.isUnusable
    isUntrusted = error.isUntrusted
  }

  /// Describes a response without a document.
  init(_ url: WebURL, status: Int, but: String = "") {
    self.init(url, reason: "it returned \(status)\(but)", sentence: "\(url) returned \(status)\(but)")
    isTemporary = TransientStatus.meansUnavailable(status)
  }

  /// Describes a document that must not be used.
  init(_ url: WebURL, unusable reason: String) {
    self.init(url, reason: reason, sentence: "\(url) is not usable: \(reason)")
  }

  init(_ url: WebURL, reason: String, sentence: String) {
    self.url = url
    self.reason = reason
    self.sentence = sentence
  }
}

extension ServerConnection {
  /// Fetches a JSON document, up to 1 MiB.
  ///
  /// - Throws: ``DiscoveryMiss`` if there is none.
  func document(at url: WebURL, fields: HTTPFields = [:]) async throws(DiscoveryMiss) -> JSONValue {
    let response: TransferResponse
    do { response = try await get(url, fields: fields) } catch { throw DiscoveryMiss(url, error) }
    guard response.status == 200 else { throw DiscoveryMiss(url, status: response.status) }
    do {
      return try JSONValue(parsing: response.body)
    } catch {
      throw DiscoveryMiss(url, reason: "it is not JSON", sentence: "\(url) is not JSON")
    }
  }
}
