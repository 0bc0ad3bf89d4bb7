extension WebURL {
  /// Resolves a reference, such as the one in `Location`, against this URL (RFC 3986, section 5.2).
  ///
  /// - Throws: ``Invalid`` when the result is not an `http` or `https` URL.
  public func resolving(_ reference: String) throws(Invalid) -> WebURL {
    if reference.isEmpty || reference.hasPrefix("#") { return self }
    return try target(of: reference).removingDotSegments()
  }

  private func target(of reference: String) throws(Invalid) -> WebURL {
    if let colon = reference.firstIndex(of: ":"),
      reference[..<colon].allSatisfy({ $0.isLetter || $0.isNumber || "+-.".contains($0) }),
      colon > reference.startIndex
    {
      return try WebURL(reference)
    }
    if reference.hasPrefix("//") { return try WebURL(origin.scheme.rawValue + ":" + reference) }
    if reference.hasPrefix("/") { return try WebURL(origin.string + reference) }
    if reference.hasPrefix("?") { return try WebURL(origin.string + path + reference) }
    let folder = path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex)
    return try WebURL(origin.string + folder + reference)
  }

  /// Takes `.` and `..` out of the path (section 5.2.4); there is nothing above the root.
  private func removingDotSegments() -> WebURL {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    var kept: [Substring] = []
    for segment in segments where segment != "." {
      if segment == ".." { _ = kept.popLast() } else { kept.append(segment) }
    }
    if segments.last == "." || segments.last == ".." { kept.append("") }
    return WebURL(
      origin: origin, pathAndQuery: "/" + kept.joined(separator: "/") + pathAndQuery.dropFirst(path.count))
  }
}
