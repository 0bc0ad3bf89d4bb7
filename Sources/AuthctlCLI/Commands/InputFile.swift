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
    self = value.hasPrefix("@") ? .file(String(value.dropFirst())) : .text(value)
  }
}

/// A file that an option names. It may be a pipe: what a shell puts in the place of `<(…)` is one.
struct InputFile: Sendable {
  /// Its path.
  let path: String

  /// The whole content; what goes beyond a megabyte of a pipe is kept in an unlinked file meanwhile.
  ///
  /// - Throws: `Errno`.
  func content(spoolFolder: FilePath) throws -> [UInt8] {
    try opened { try Spool($0, folder: spoolFolder).readToEnd() }
  }

  /// The whole content, which never touches a disk on its way; up to a megabyte.
  ///
  /// - Throws: `Errno`, which is `fileTooLarge` beyond that.
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
