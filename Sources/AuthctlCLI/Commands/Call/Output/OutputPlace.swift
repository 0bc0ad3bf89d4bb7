import AuthCore

/// Where the body of a response goes.
enum OutputPlace: Sendable, Equatable {
  /// Standard output, formatted for its reader.
  case standardOutput
  /// Standard output, byte for byte, whatever it leads to (`-o -`).
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
    case "":
      throw .usage(.init("-o", why: "the file name is empty", hint: "use a name, or - for standard output"))
    case let path?: self = .file(path)
    }
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
