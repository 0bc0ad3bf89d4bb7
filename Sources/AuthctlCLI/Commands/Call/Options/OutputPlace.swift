import AuthCore

/// The destination of the body of a response.
enum OutputPlace: Sendable, Equatable {
  /// Standard output, formatted for a terminal.
  case standardOutput
  /// Standard output, byte for byte, even on a terminal (`-o -`).
  case standardOutputAsItIs
  /// The file of `-o`.
  case file(String)
  /// A file named after the last part of the URL's path (`-O`).
  case remoteName

  /// Reads a `-o` or `-O`.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if the file name is empty.
  init(_ occurrence: Occurrence) throws(AuthError) {
    switch occurrence.value {
    case nil: self = .remoteName
    case "-": self = .standardOutputAsItIs
    case "": throw OutputPlace.emptyName(of: "-o")
    case let path?: self = .file(path)
    }
  }

  /// Returns the error for an empty file name.
  static func emptyName(of option: String) -> AuthError {
    .usage(option, why: "the file name is empty", hint: "use a name, or - for standard output")
  }

  /// The `-o` and `-O` of a command line, in order.
  static func occurrences(_ invocation: Invocation) -> [Occurrence] {
    invocation.occurrences.filter { [CallOptions.output, CallOptions.remoteName].contains($0.option) }
  }

  /// The path of the file; nil for standard output.
  ///
  /// - Parameter typed: the address of `url` as it was typed.
  /// - Throws: ``AuthError/failed(_:)`` if the file is named after a URL that has no name in it.
  func path(for url: WebURL, typed: String) throws(AuthError) -> String? {
    switch self {
    case .standardOutput, .standardOutputAsItIs: nil
    case .file(let path): path
    case .remoteName: try RemoteName.name(of: url, typed: typed)
    }
  }
}

/// The file name that a URL implies (`-O`).
enum RemoteName {
  /// Returns the text after the last slash of a URL's path. It stays percent-encoded, so that no `%2F` becomes a path.
  ///
  /// - Parameter typed: the address as it was typed: its non-ASCII characters are not encoded.
  /// - Throws: ``AuthError/failed(_:)`` if the text is empty or not a valid file name.
  static func name(of url: WebURL, typed: String) throws(AuthError) -> String {
    let name = last(of: url.path)
    // Dot segments are directories: a path that ends in one has no file name.
    guard !["", ".", ".."].contains(name) else {
      throw .failed("-O \(url)", why: "the URL has no file name at its end", hint: "name the file yourself: -o FILE")
    }
    let own = last(of: String(typed.prefix(upToAny: "?#")))
    return WebURL.encodingNonASCII(own) == name ? own : name
  }

  private static func last(of path: String) -> String {
    String(path.split(atAny: "/\\", omittingEmptySubsequences: false).last ?? "")
  }
}
