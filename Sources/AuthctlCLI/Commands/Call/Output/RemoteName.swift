import AuthCore

/// The name that a file gets from a URL (`-O`).
enum RemoteName {
  /// What follows the last slash of a URL's path. Percent-encoding stays, so that no `%2F` becomes a path.
  ///
  /// - Parameter typed: the address as it was typed: what is not ASCII in its name isn't encoded there.
  /// - Throws: ``AuthError/failed(_:)`` where nothing follows it, or nothing that can be a file.
  static func name(of url: WebURL, typed: String) throws(AuthError) -> String {
    let name = last(of: url.path)
    // The dots are folders: a path that ends in them has no name at its end.
    guard !["", ".", ".."].contains(name) else {
      throw .failed(
        .init("-O \(url)", why: "the URL has no file name at its end", hint: "name the file yourself: -o FILE"))
    }
    let own = last(of: String(typed.prefix { !"?#".contains($0) }))
    return encoded(own) == name ? own : name
  }

  private static func last(of path: String) -> String {
    String(path.split(omittingEmptySubsequences: false) { "/\\".contains($0) }.last ?? "")
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      result += byte < 0x80 ? String(Unicode.Scalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
    }
  }
}
