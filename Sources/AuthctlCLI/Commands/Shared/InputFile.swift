import AuthCore
import SystemPackage

/// The value of an option that takes a text, or `@` and the path of a file.
enum TextOrFile: Sendable, Equatable {
  /// The text itself.
  case text(String)
  /// The path of the file that holds it; `-` for standard input.
  case file(String)

  /// Parses a value.
  init(_ value: String) {
    self = value.dropping(prefix: "@").map { .file(String($0)) } ?? .text(value)
  }
}

/// A file that an option names. It may be a pipe, such as the one that a shell creates for `<(…)`.
struct InputFile: Sendable {
  /// The file's path.
  let path: String

  /// Returns the whole content. More than a megabyte from a pipe is buffered in an unlinked file.
  ///
  /// - Throws: `Errno`.
  func content(spoolFolder: FilePath) throws -> [UInt8] {
    try opened { try Spool($0, folder: spoolFolder).readToEnd() }
  }

  /// Returns the whole content, up to a megabyte, without buffering it on disk.
  ///
  /// - Throws: `Errno`; `fileTooLarge` if the content is longer.
  func smallContent() throws -> [UInt8] {
    try opened { file in
      guard let content = try Spool(file, folder: "/").readAhead() else { throw Errno.fileTooLarge }
      return content
    }
  }

  private func opened<Content>(_ read: (FileDescriptor) throws -> Content) throws -> Content {
    let file = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec])
    return try file.closeAfter { try read(file) }
  }
}
