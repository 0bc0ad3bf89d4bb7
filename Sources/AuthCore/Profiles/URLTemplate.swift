/// The address of a request, with places for values in its path and its query; its origin is fixed.
package struct URLTemplate: Sendable, Equatable {
  /// Where the request goes.
  let origin: Origin
  /// The path of the profile's `base`, without a slash at its end.
  let folder: String
  /// The path below the folder, without the slash between.
  let path: TextTemplate
  /// The fields of the query as they are written, `name=value`.
  let query: [TextTemplate]

  /// The places for values.
  var placeholders: [Placeholder] { path.placeholders + query.flatMap(\.placeholders) }

  /// Reads a `url` of a profile.
  ///
  /// - Parameters:
  ///   - text: absolute, or to be appended to `base` with one slash between.
  ///   - origins: where an absolute one may lead.
  init(_ text: String, base: WebURL?, origins: Set<Origin>) throws(TextTemplate.Malformed) {
    guard !text.contains("#") else { throw TextTemplate.Malformed(reason: "has a fragment (#…), which is never sent") }
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
    rest = rest.drop { $0 == "/" }
    let question = rest.firstIndex(of: "?", outsideBraces: true) ?? rest.endIndex
    path = try TextTemplate(String(rest[..<question]))
    var fields: [TextTemplate] = []
    for field in rest[question...].dropFirst().split(separator: "&") { fields.append(try TextTemplate(String(field))) }
    query = fields
    guard !path.placeholders.contains(where: \.isOptional) else {
      throw TextTemplate.Malformed(reason: "has a value in its path that may be absent")
    }
    try check()
  }

  /// The address with the values in their places, each percent-encoded; a field of the query whose value is absent is
  /// left out.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where a value is missing, or would make another path of it.
  func filled(_ values: RequestValues) throws(AuthError) -> WebURL {
    let path = try path.filled(values) { value throws(AuthError) in
      guard !value.isEmpty, value != ".", value != ".." else { throw URLTemplate.changesThePath }
      return FormEncoding.percentEncode(value)
    }
    let whole = folder + "/" + (path ?? "")
    guard !whole.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) else {
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
      throw .usage(
        .init("the address of a request", why: "it is not usable: \(error)", hint: "fix url in the profile"))
    }
  }

  /// What is written as it is must make a URL too.
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
    .init(
      "the path of a request", why: "a value is empty, . or .., which would change the path",
      hint: "use a value that can be between two slashes"))

  private static func hasScheme(_ text: String) -> Bool {
    if text.lowercased().hasPrefix("http:") || text.lowercased().hasPrefix("https:") { return true }
    guard let end = text.firstRange(of: "://")?.lowerBound else { return false }
    return !text[..<end].contains { "/?{".contains($0) }
  }

  private static func origin(_ text: String) throws(TextTemplate.Malformed) -> (Origin, Substring) {
    let start = text.firstRange(of: "://")?.upperBound ?? text.endIndex
    let end = text[start...].firstIndex { "/?".contains($0) } ?? text.endIndex
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
  /// The first place of a character that does not stand between braces.
  fileprivate func firstIndex(of character: Character, outsideBraces: Bool) -> Index? {
    var depth = 0
    return indices.first { index in
      if self[index] == "{" { depth += 1 }
      if self[index] == "}" { depth -= 1 }
      return self[index] == character && depth <= 0
    }
  }
}
