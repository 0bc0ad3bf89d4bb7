package import HTTPTypes

/// The target of a redirect and the method that is used for it (RFC 9110, section 15.4).
package struct Redirection: Sendable {
  /// The statuses that redirect if the response has a `Location`; 300 states the server's preferred choice, which may
  /// be followed (section 15.4.1).
  package static let statuses: Set<Int> = [300, 301, 302, 303, 307, 308]

  /// The new URL.
  package let url: WebURL
  /// Whether the next request has no body, and is a GET unless the user chose a method: after 303, and after 301 and
  /// 302 for a form.
  package let becomesGet: Bool

  /// Reads the redirect of a response; nil if it does not redirect.
  ///
  /// - Parameter isForm: whether the request counts as a POST after 301 and 302, which does not depend on its method
  ///   alone.
  /// - Throws: ``WebURL/Invalid`` if `Location` is not a usable URL.
  package init?(_ response: TransferResponse, from url: WebURL, method: HTTPRequest.Method, isForm: Bool)
    throws(WebURL.Invalid)
  {
    guard Redirection.statuses.contains(response.status), let location = response.fields[.location] else { return nil }
    self.url = try url.resolving(location)
    switch response.status {
    case 303: becomesGet = method != .head
    case 301, 302: becomesGet = isForm
    default: becomesGet = false
    }
  }
}

/// The header fields of a request that are kept on a redirect to another origin.
///
/// RFC 9110, section 15.4 requires that credentials are removed. The name of a field does not reveal whether it is a
/// credential (`X-JFrog-Art-Api` and `PRIVATE-TOKEN` are), so only fields known not to be credentials are kept.
package enum CrossOriginFields {
  /// Fields that describe the request or its body, but not the client or its origin.
  static let harmless: Set<String> = [
    "accept", "accept-charset", "accept-datetime", "accept-encoding", "accept-language", "cache-control", "connection",
    "content-digest", "content-disposition", "content-encoding", "content-language", "content-length", "content-type",
    "date", "digest", "dnt", "expect", "if-match", "if-modified-since", "if-none-match", "if-range",
    "if-unmodified-since", "pragma", "prefer", "priority", "range", "repr-digest", "te", "trailer",
    "transfer-encoding", "upgrade-insecure-requests", "user-agent", "want-content-digest", "want-repr-digest",
  ]

  /// Returns whether a field is known not to be a credential.
  package static func isHarmless(_ name: HTTPField.Name) -> Bool { harmless.contains(name.canonicalName) }

  /// Removes the fields that must not be sent to another origin.
  ///
  /// - Parameter tokenField: the field that carries the profile's token, which is always removed.
  /// - Returns: the names of the removed fields as spelled, without duplicates.
  static func removeForeign(from fields: inout HTTPFields, tokenField: HTTPField.Name) -> [String] {
    var removed: [String] = []
    let kept = fields.filter { field in
      let isKept = isHarmless(field.name) && field.name != tokenField
      if !isKept, !removed.contains(field.name.rawName) { removed.append(field.name.rawName) }
      return isKept
    }
    fields = HTTPFields(kept)
    return removed
  }
}
