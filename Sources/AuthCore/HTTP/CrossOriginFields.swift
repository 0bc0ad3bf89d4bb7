import HTTPTypes

/// What of a request's header follows a redirect to another origin.
///
/// RFC 9110, section 15.4 wants credentials left behind. Which fields are credentials nobody can tell by their names
/// (`X-JFrog-Art-Api` and `PRIVATE-TOKEN` are): so what follows is what is known to be none, and all else stays.
enum CrossOriginFields {
  /// Fields that say what is wanted or what the body is, and nothing about who asks or from where.
  private static let harmless: Set<String> = [
    "accept", "accept-charset", "accept-datetime", "accept-encoding", "accept-language", "cache-control", "connection",
    "content-digest", "content-disposition", "content-encoding", "content-language", "content-length", "content-type",
    "date", "digest", "dnt", "expect", "if-match", "if-modified-since", "if-none-match", "if-range",
    "if-unmodified-since", "pragma", "prefer", "priority", "range", "repr-digest", "te", "trailer",
    "transfer-encoding", "upgrade-insecure-requests", "user-agent", "want-content-digest", "want-repr-digest",
  ]

  /// Takes the fields away that must not follow.
  ///
  /// - Parameter tokenField: the profile's own, which stays behind whatever its name is.
  /// - Returns: the names of those that were there, as they are spelled, each once.
  static func removeForeign(from fields: inout HTTPFields, tokenField: HTTPField.Name) -> [String] {
    var removed: [String] = []
    let kept = fields.filter { field in
      let isKept = harmless.contains(field.name.canonicalName) && field.name != tokenField
      if !isKept, !removed.contains(field.name.rawName) { removed.append(field.name.rawName) }
      return isKept
    }
    fields = HTTPFields(kept)
    return removed
  }
}
