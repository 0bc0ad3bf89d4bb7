import AuthCore

/// Where the body of a response goes.
enum OutputPlace: Sendable, Equatable {
  /// Standard output, formatted for its reader.
  case standardOutput
  /// Standard output, byte for byte, whatever it leads to (`-o -`).
  case standardOutputAsItIs
  /// The file of `-o`, or of `-O`.
  case file(String)

  /// The path of the file, where it is one.
  var path: String? { if case .file(let path) = self { path } else { nil } }

  /// Finds the output for the response of one address. The first `-o` or `-O` is for the first address, and so on.
  ///
  /// - Throws: ``AuthError/failed(_:)`` where it is to be named after a URL that has no name in it.
  init(_ invocation: Invocation, index: Int, url: WebURL) throws(AuthError) {
    let places = OutputPlace.occurrences(invocation)
    guard places.indices.contains(index) else {
      self = .standardOutput
      return
    }
    switch places[index].value {
    case nil: self = .file(try RemoteName.name(of: url, typed: invocation.operands[index]))
    case "-": self = .standardOutputAsItIs
    case "":
      throw .usage(.init("-o", why: "the file name is empty", hint: "use a name, or - for standard output"))
    case let path?: self = .file(path)
    }
  }

  /// Whether a command line names more places than addresses.
  static func areTooMany(_ invocation: Invocation) -> Bool {
    occurrences(invocation).count > invocation.operands.count
  }

  private static func occurrences(_ invocation: Invocation) -> [Occurrence] {
    invocation.occurrences.filter { [CallOptions.output, CallOptions.remoteName].contains($0.option) }
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
