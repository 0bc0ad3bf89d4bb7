/// A file of the source tree that is generated from the table.
struct GeneratedFile: Sendable, Hashable {
  /// The path below the root of the source tree.
  let path: String
  /// The contents.
  let text: String
}

extension Program {
  /// All files that are generated from the table: the manual's pages.
  var generatedFiles: [GeneratedFile] {
    let pages = ([nil] + commands.map(Optional.some)).map { ManPage(program: self, command: $0) }
    let references = references.map { ReferencePage(program: self, reference: $0) }
    return pages.map { GeneratedFile(path: $0.path, text: $0.text) }
      + references.map { GeneratedFile(path: $0.path, text: $0.text) }
  }
}
