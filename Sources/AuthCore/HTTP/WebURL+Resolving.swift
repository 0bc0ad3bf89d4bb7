extension WebURL {
  /// Resolves a reference, such as the one in `Location`, against this URL (RFC 3986, section 5.2).
  ///
  /// A space, which is invalid but sent by some servers, becomes `%20` in the path and `+` in the query, as in curl.
  ///
  /// - Throws: ``Invalid`` if the result is not an `http` or `https` URL.
  public func resolving(_ reference: String) throws(Invalid) -> WebURL {
    if reference.isEmpty || reference.utf8.first == UInt8(ascii: "#") { return self }
    return try target(of: WebURL.encodingSpaces(reference)).removingDotSegments()
  }

  private func target(of reference: String) throws(Invalid) -> WebURL {
    // Compares code points, so that a combining mark after a slash does not hide it.
    let scalars = reference.unicodeScalars
    if let colon = scalars.firstIndex(of: ":"), colon > scalars.startIndex,
      // Letters of any script count, so that text that looks like a scheme does not become a path.
      scalars[..<colon].allSatisfy({
        Character($0).isLetter || Character($0).isNumber || "+-.".unicodeScalars.contains($0)
      })
    {
      return try WebURL(reference)
    }
    if scalars.starts(with: "//".unicodeScalars) { return try WebURL(origin.scheme.rawValue + ":" + reference) }
    if scalars.first == "/" { return try WebURL(origin.string + reference) }
    if scalars.first == "?" { return try WebURL(origin.string + path + reference) }
    // A path begins with a slash.
    let folder = path[..<(path.lastIndex(ofAny: "/") ?? path.startIndex)]
    return try WebURL(origin.string + folder + "/" + reference)
  }

  private static func encodingSpaces(_ text: String) -> String {
    guard text.unicodeScalars.contains(" ") else { return text }
    var isQuery = false
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if scalar == "?" { isQuery = true }
      if scalar == " " { result += isQuery ? "+" : "%20" } else { result.unicodeScalars.append(scalar) }
    }
  }

  /// Removes `.` and `..` from the path (section 5.2.4); `..` at the root is ignored.
  private func removingDotSegments() -> WebURL {
    let segments = path.split(atAny: "/", omittingEmptySubsequences: false).dropFirst()
    var kept: [Substring] = []
    for segment in segments where segment != "." {
      if segment == ".." { _ = kept.popLast() } else { kept.append(segment) }
    }
    if [".", ".."].contains(segments.last) { kept.append("") }
    return WebURL(
      origin: origin, pathAndQuery: "/" + kept.joined(separator: "/") + (pathAndQuery.dropping(prefix: path) ?? ""))
  }
}
