/// Names the tokens of a trace by their kinds: `access`, `refresh`, `id`, `code`.
package enum TraceKinds {
  /// Returns the kinds by the fingerprints of the tokens; the first source that names a token counts.
  package static func all(in entries: [TraceEntry]) -> [String: String] {
    var kinds: [String: String] = [:]
    for entry in entries {
      switch entry.step {
      case .exchange(let exchange): exchange.collect(&kinds)
      case .event(let event): if let access = event.access { kinds[access] = kinds[access] ?? "access" }
      case .visit, .note: break
      }
    }
    return kinds
  }
}

extension TraceExchange {
  /// Collects the kinds of the tokens that were received and sent.
  fileprivate func collect(_ kinds: inout [String: String]) {
    for body in [responseBody, requestBody] {
      guard role == .server, let text = body?.text else { continue }
      if let document = try? JSONValue(parsing: text.utf8) {
        TraceExchange.collect(&kinds, in: document, named: "")
      } else if body?.mediaType.starts(withBytes: "application/x-www-form-urlencoded") == true {
        for (name, value) in FormEncoding.decode(text) {
          TraceExchange.collect(&kinds, in: .string(value), named: name)
        }
      }
    }
    guard role == .api else { return }
    for fingerprint in sentTokens { kinds[fingerprint] = kinds[fingerprint] ?? "access" }
  }
}

extension AuthEvent {
  /// The fingerprint of the access token that the event is about; nil if it is about none.
  fileprivate var access: String? {
    switch self {
    case .loaded(let access, _): access
    case .usable(let access, _), .cached(let access, _), .adopted(let access, _, _), .refreshed(let access, _, _),
      .saved(let access), .putBack(let access):
      access
    case .notCached, .waiting, .cutShort, .refreshing, .refreshFailed, .retrying, .pausing, .loginRequired, .replaying,
      .refusedAgain, .retryingWithNonce, .clockDiffers, .discovered, .revoked, .cleared, .warning:
      nil
    }
  }
}
