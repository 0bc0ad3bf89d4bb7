import AuthCore
import SystemPackage

/// Files that a command line names to be written.
enum OutputFile {
  /// Opens one, with the mode that the umask leaves.
  ///
  /// - Parameters:
  ///   - start: what becomes of what is there: `.truncate` or `.append`.
  ///   - option: what names it, for the message.
  /// - Throws: ``AuthError/failed(_:)``.
  static func open(_ path: String, _ start: FileDescriptor.OpenOptions, for option: String) throws(AuthError)
    -> FileDescriptor
  {
    do {
      return try FileDescriptor.open(
        FilePath(path), .writeOnly, options: [.create, .closeOnExec, start],
        permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
    } catch {
      throw .failed(
        .init(
          "\(option) \(Escaped.text(path))", why: "it can't be written: \(error)",
          hint: "check the folder and its mode"))
    }
  }
}
