/// The URL of a request, with placeholders in its path and its query; its origin is fixed.
package struct URLTemplate: Sendable, Equatable {
  /// The origin to which the request is sent.
  let origin: Origin
  /// The path of the profile's `base`, without a trailing slash.
  let folder: String
  /// The path below the folder, without the slash between them.
  let path: TextTemplate
  /// The fields of the query as written, `name=value`.
  let query: [TextTemplate]

  /// The placeholders.
  var placeholders: [Placeholder] { path.placeholders + query.flatMap(\.placeholders) }

  /// Reads a `url` of a profile.
  ///
  /// - Parameters:
  ///   - text: an absolute URL, or a path to append to `base` with one slash between them.
  ///   - origins: the allowed origins of an absolute URL.
  init(_ text: String, base: WebURL?, origins: Set<Origin>) throws(TextTemplate.Malformed) {
    guard !text.contains(bytes: "#") else {
      throw TextTemplate.Malformed(reason: "has a fragment (#…), which is never sent")
    }
    var rest: Substring
    if URLTemplate.hasScheme(text) {
      (origin, rest) = try URLTemplate.origin(text)
      guard origins.contains(origin) else {
        throw TextTemplate.Malformed(
          reason: "leads to \(origin), which is not the origin of base or of a URL in [endpoints]")
      }
      folder = ""
    } else {
      guard let base else {
        throw TextTemplate.Malformed(reason: "has no scheme, and there is no base to append it to")
      }
      origin = base.origin
      folder = base.folder
      rest = text[...]
    }
    rest = rest.drop(anyOf: "/")
    let question = rest.firstQuestionMark ?? rest.endIndex
    path = try TextTemplate(String(rest[..<question]))
    var fields: [TextTemplate] = []
    for field in rest[question...].drop(anyOf: "?").split(atAny: "&") { fields.append(try TextTemplate(String(field))) }
    query = fields
    guard !path.placeholders.contains(where: \.isOptional) else {
      throw TextTemplate.Malformed(reason: "has a value in its path that may be absent")
    }
    try check()
  }

  /// Returns the URL with the percent-encoded values in place of the placeholders; omits a query field whose value is
  /// absent.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if a value is missing, or would change the structure of the path.
  func filled(_ values: RequestValues) throws(AuthError) -> WebURL {
    let path = try path.filled(values) { value throws(AuthError) in
      guard !value.isEmpty, value != ".", value != ".." else { throw URLTemplate.changesThePath }
      return FormEncoding.percentEncode(value)
    }
    let whole = folder + "/" + (path ?? "")
    guard !whole.split(atAny: "/").contains(where: { $0 == "." || $0 == ".." }) else {
      throw URLTemplate.changesThePath
    }
    var fields: [String] = []
    for field in query {
      let encoded = try field.filled(values) { value throws(AuthError) in FormEncoding.percentEncode(value) }
      if let encoded { fields.append(encoded) }
    }
    do {
      return try WebURL(origin.string + whole + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&")))
    } catch {
      throw .usage("the address of a request", why: "it is not usable: \(error)", hint: "fix url in the profile")
    }
  }

  /// Checks that the literal parts form a valid URL.
  private func check() throws(TextTemplate.Malformed) {
    var values = RequestValues()
    for placeholder in placeholders { values[placeholder.name] = .text(Secret("x")) }
    do throws(AuthError) {
      _ = try filled(values)
    } catch {
      throw TextTemplate.Malformed(reason: "is not a usable URL: \(error.explanation.why)")
    }
  }

  private static let changesThePath = AuthError.usage(
    "the path of a request", why: "a value is empty, . or .., which would change the path",
    hint: "use a value that can be between two slashes")

  private static func hasScheme(_ text: String) -> Bool {
    if text.lowercased().starts(withBytes: "http:") || text.lowercased().starts(withBytes: "https:") { return true }
    guard let end = text.firstRange(ofBytes: "://")?.lowerBound else { return false }
    return !text[..<end].contains(anyOf: "/?{")
  }

  private static func origin(_ text: String) throws(TextTemplate.Malformed) -> (Origin, Substring) {
    let start = text.firstRange(ofBytes: "://")?.upperBound ?? text.endIndex
    let end = text[start...].firstIndex(ofAny: "/?") ?? text.endIndex
    do {
      let url = try WebURL(String(text[..<end]))
      guard url.origin.isSecure else { throw WebURL.Invalid(description: "it is plain http") }
      return (url.origin, text[end...])
    } catch {
      throw TextTemplate.Malformed(reason: "is not a usable URL: \(error)")
    }
  }
}

extension Substring {
  /// The first question mark that is not between braces.
  fileprivate var firstQuestionMark: Index? {
    var depth = 0
    return unicodeScalars.firstIndex { scalar in
      if scalar == "{" { depth += 1 }
      if scalar == "}" { depth -= 1 }
      return scalar == "?" && depth <= 0
    }
  }
}
