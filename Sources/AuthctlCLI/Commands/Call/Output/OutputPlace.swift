import AuthCore

/// Where the body of an answer goes.
enum OutputPlace: Sendable, Equatable {
  /// Standard output, in a form for whoever reads it there.
  case standardOutput
  /// Standard output, byte for byte, whatever it leads to (`-o -`).
  case standardOutputAsItIs
  /// The file of `-o`, or of `-O`.
  case file(String)

  /// The path of the file, where it is one.
  var path: String? { if case .file(let path) = self { path } else { nil } }

  /// The place that a command line names for the answer of one of its addresses: the first `-o` or `-O` is for the first
  /// address, and so on.
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
