import AuthCore

extension TraceArguments.NamedFile {
  /// Returns the files in the value of an option, without standard input and output, and without those of `--trace`.
  static func all(in occurrence: Occurrence) -> [TraceArguments.NamedFile] {
    guard let value = occurrence.value, occurrence.option != .trace else { return [] }
    let option = occurrence.option.names[0]
    return paths(in: value, of: occurrence.option).filter { !$0.isEmpty && $0 != "-" }
      .map { TraceArguments.NamedFile(option: option, path: $0) }
  }

  private static func paths(in value: String, of option: Option) -> [String] {
    switch option.value?.completion {
    case .file: return [value]
    // Also `NAME@FILE` of --data-urlencode.
    case .atFile: return value.firstIndex(ofAny: "@").map { [String(value.suffix(after: $0))] } ?? []
    case .fieldFile:
      guard let mark = value.firstIndex(ofAny: "=") else { return [] }
      let content = value.suffix(after: mark)
      guard let files = content.dropping(prefix: "@") ?? content.dropping(prefix: "<") else { return [] }
      return files.prefix(upToAny: ";").split(atAny: ",").map { String($0.drop(anyOf: "\" ").prefix(upToAny: "\"")) }
    default: return []
    }
  }
}
