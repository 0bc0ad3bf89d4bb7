import AuthCore

extension WebURL {
  /// The address with more in its query (`-G`). As in curl, the letters of its percent-encodings become small.
  ///
  /// - Throws: ``WebURL/Invalid``.
  func appendingEscaped(query more: String) throws(Invalid) -> WebURL {
    let old = query ?? ""
    let separator = old.isEmpty || old.hasSuffix("&") ? "" : "&"
    let query = old + separator + FormEncoding.loweringEscapes(more)
    return try WebURL(origin.string + path + (query.isEmpty ? "" : "?" + query))
  }

  /// The address with a file's name, encoded, where it ends in a slash (`-T`).
  ///
  /// - Throws: ``WebURL/Invalid``.
  func appendingName(ofFile file: String) throws(Invalid) -> WebURL {
    guard path.hasSuffix("/") else { return self }
    // As in curl: what stands behind the last slash, and behind the last backslash of that.
    let name = file.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let last = name.split(separator: "\\", omittingEmptySubsequences: false).last ?? ""
    let path = FormEncoding.loweringEscapes(path + FormEncoding.percentEncode(String(last)))
    return try WebURL(origin.string + path + (query.map { "?" + $0 } ?? ""))
  }
}
