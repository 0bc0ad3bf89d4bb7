import AuthCore
import SystemPackage

/// The file of `-D`, to which the header of each final response is written.
struct HeaderDump: Sendable {
  private let file: FileDescriptor
  private let isOwn: Bool

  /// Opens the file: truncates it for the first address, appends to it for the others.
  ///
  /// - Throws: ``AuthError/failed(_:)`` if it cannot be written.
  init(_ path: String, isFirst: Bool, standardOutput: FileDescriptor) throws(AuthError) {
    guard !path.isEmpty else {
      throw .usage(.init("-D", why: "the file name is empty", hint: "use a name, or - for standard output"))
    }
    isOwn = path != "-"
    guard isOwn else {
      file = standardOutput
      return
    }
    file = try OutputFile.open(path, isFirst ? .truncate : .append, for: "-D")
  }

  /// Writes a part of the header.
  ///
  /// - Throws: `Errno`.
  func write(_ bytes: [UInt8]) throws { _ = try file.writeAll(bytes) }

  /// Closes the file: only then it is sure that all of it was taken.
  ///
  /// - Throws: `Errno`.
  func close() throws { if isOwn { try file.close() } }
}
