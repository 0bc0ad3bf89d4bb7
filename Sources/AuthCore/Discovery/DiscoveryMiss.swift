import HTTPTypes

/// A URL without a usable document, and the reason.
package struct DiscoveryMiss: Error, Sendable {
  /// The URL.
  package let url: WebURL
  /// The reason, for a line that already shows the URL.
  package let reason: String
  /// The reason as a sentence of its own.
  package let sentence: String
  /// Whether a later request may help: the network failed, or the server returned a 5xx.
  package private(set) var isTemporary = false
  /// Whether the server's certificate was not accepted.
  package private(set) var isUntrusted = false
  /// Whether the server could not be reached at all, so that another of its URLs fails, too.
  package private(set) var isUnreachable = false
  /// Whether the server returned a status that says nothing more about the reason.
  package private(set) var isStatus = false
  /// Whether the port expects TLS, and the URL is plain http.
  package private(set) var isForTLS = false
  /// Whether there is a document that must not be used: of another origin, or with an unsafe address.
  package internal(set) var isUnsafe = false
  /// The issuer of the document, if that is the reason.
  package internal(set) var otherIssuer: String?
  /// The first issuer in the metadata to which the API points and which is for another API of the origin: it must be
  /// confirmed before it is used.
  package internal(set) var neighbourIssuer: String?
  /// Whether the document has a plain http address: a proxy that ends TLS hides the public one from the server.
  package internal(set) var isPlainHTTP = false
  /// The hint for such a document.
  package static let plainHTTPHint =
    "a server behind a proxy that ends TLS must know its public https address: ask its operator to configure it"
  /// The target of a redirect to another origin, if that is the reason.
  package private(set) var redirect: WebURL?

  /// Describes a URL that can't be reached.
  init(_ url: WebURL, _ error: ServerConnection.Unreachable) {
    self.init(
      url, reason: error.description, sentence: error.isUnusable ? "\(url): \(error.description)" : error.description)
    isTemporary = !error.isUnusable
    isUntrusted = error.isUntrusted
    isUnreachable = !error.mayHaveArrived
  }

  /// Describes a response without a document.
  init(_ url: WebURL, status: Int, but: String = "") {
    self.init(url, reason: "it returned \(status)\(but)", sentence: "\(url) returned \(status)\(but)")
    isTemporary = TransientStatus.meansUnavailable(status)
    isStatus = !isTemporary
  }

  /// Describes a response of a port that expects TLS.
  init(forTLS url: WebURL) {
    self.init(url, reason: "the port speaks https", sentence: "\(url.origin): the port speaks https, not plain http")
    isForTLS = true
  }

  /// Describes a redirect that is not followed.
  init(_ url: WebURL, status: Int, redirect: WebURL) {
    self.init(url, status: status, but: " to \(redirect)")
    self.redirect = redirect
    isStatus = false
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

/// The failure of a discovery that has found nothing usable.
package struct DiscoveryFailure: Error, Sendable {
  /// The URLs in the order in which they were tried.
  package var misses: [DiscoveryMiss] = []

  /// Whether other URLs need not be tried: the server can't be reached, or its metadata must not be used.
  package var isFinal: Bool { misses.contains { $0.isUnsafe || $0.isUnreachable } }
}

extension [DiscoveryMiss] {
  /// The first URL with each reason, and the number of further URLs with the same.
  package var byReason: [(miss: DiscoveryMiss, more: Int)] {
    reduce(into: []) { groups, miss in
      if let index = groups.firstIndex(where: { $0.miss.reason == miss.reason }) {
        groups[index].more += 1
      } else {
        groups.append((miss, 0))
      }
    }
  }

  /// All reasons as one text. URLs with the same status share a sentence.
  package var sentences: String {
    var groups: [(reason: String, misses: [DiscoveryMiss])] = []
    var known: Set<String> = []
    for miss in self where known.insert(miss.sentence).inserted {
      if let index = groups.firstIndex(where: { $0.reason == miss.reason }),
        miss.reason.starts(withBytes: "it returned ")
      {
        groups[index].misses.append(miss)
      } else {
        groups.append((miss.reason, [miss]))
      }
    }
    return groups.map { group in
      guard group.misses.count > 1 else { return group.misses[0].sentence }
      return group.misses.map(\.url.description).joined(separator: ", ") + (group.reason.dropping(prefix: "it") ?? "")
    }.joined(separator: "; ")
  }
}

extension ServerConnection {
  /// Fetches a JSON document, up to 1 MiB.
  ///
  /// - Throws: ``DiscoveryMiss`` if there is none.
  func document(at url: WebURL, fields: HTTPFields = [:]) async throws(DiscoveryMiss) -> JSONValue {
    let response: TransferResponse
    do { response = try await get(url, fields: fields) } catch { throw DiscoveryMiss(url, error) }
    return try DiscoveryMiss.document(response, at: url)
  }

  /// Fetches a JSON document as ``document(at:fields:)`` does, and follows redirects on the same origin.
  ///
  /// - Throws: ``DiscoveryMiss`` if there is none.
  func publishedDocument(at url: WebURL) async throws(DiscoveryMiss) -> JSONValue {
    let response = try await following(url) { url throws(DiscoveryMiss) in
      do throws(Unreachable) { return try await get(url) } catch { throw DiscoveryMiss(url, error) }
    }
    return try DiscoveryMiss.document(response, at: url)
  }

  /// Sends a GET, and follows up to three redirects on the same origin.
  ///
  /// - Throws: ``DiscoveryMiss`` if there is no response, or one that redirects to another origin.
  func following(
    _ url: WebURL, _ get: (WebURL) async throws(DiscoveryMiss) -> TransferResponse
  ) async throws(DiscoveryMiss) -> TransferResponse {
    var place = url
    for _ in 0..<ServerConnection.mostRedirects {
      let response = try await get(place)
      // A Location that can't be read is one that is not followed.
      guard let next = try? Redirection(response, from: place, method: .get, isForm: false)?.url else {
        return response
      }
      guard next.origin == url.origin else { throw DiscoveryMiss(url, status: response.status, redirect: next) }
      place = next
    }
    return try await get(place)
  }

  private static let mostRedirects = 3
}

extension DiscoveryMiss {
  /// Returns the document in a response.
  ///
  /// - Throws: ``DiscoveryMiss`` if there is none.
  fileprivate static func document(_ response: TransferResponse, at url: WebURL) throws(DiscoveryMiss) -> JSONValue {
    guard response.status == 200 else {
      // The responses of nginx and of Go to plain HTTP at a port for TLS.
      let text = response.status == 400 ? String(decoding: response.body.prefix(1 << 10), as: UTF8.self) : ""
      let isForTLS = ["HTTP request was sent to HTTPS port", "HTTP request to an HTTPS server"]
        .contains { text.contains(bytes: $0) }
      guard !isForTLS || url.origin.scheme == .https else { throw DiscoveryMiss(forTLS: url) }
      throw DiscoveryMiss(url, status: response.status)
    }
    do {
      return try JSONValue(parsing: response.body)
    } catch {
      throw DiscoveryMiss(url, reason: "it is not JSON", sentence: "\(url) is not JSON")
    }
  }
}
