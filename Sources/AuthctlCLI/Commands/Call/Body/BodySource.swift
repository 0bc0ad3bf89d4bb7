import AuthCore
import FoundationEssentials
import SystemPackage

/// The file that a body is read from, or standard input (`-`).
struct BodySource: Sendable {
  private let path: String
  private let context: Context
  private let name: String

  /// Creates a source without opening the file.
  ///
  /// - Parameter option: the option that the path is the whole value of; nil for one that takes `@FILE`.
  init(_ path: String, of option: String? = nil, _ context: Context) {
    self.path = path
    self.context = context
    name = (option.map { "\($0) " } ?? "@") + Escaped.text(path)
  }

  /// Returns the whole content, in memory.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if it can't be read.
  func content() throws(AuthError) -> [UInt8] {
    let file = try open()
    do {
      defer { close(file) }
      return try Spool(file, folder: context.spoolFolder).readToEnd()
    } catch {
      throw unreadable(error)
    }
  }

  /// Returns a body that is sent while it is read: a file with its length, a pipe in chunks.
  ///
  /// - Parameter readingAhead: whether a pipe that ends within a megabyte gets a length, which servers support better
  ///   than chunks.
  /// - Throws: ``AuthError/usage(_:)`` if it can't be read.
  func body(readingAhead: Bool) throws(AuthError) -> RequestBody {
    let file = try open()
    do {
      let rest = try BodySource.rest(of: file)
      if let rest, !rest.isEmpty {
        return .file(file, offset: rest.lowerBound, length: rest.upperBound - rest.lowerBound)
      }
      let spool = Spool(file, folder: context.spoolFolder)
      // Files that the kernel generates on reading (in /proc) have the size 0.
      if readingAhead || rest != nil, let small = try spool.readAhead() { return .bytes(small) }
      return .stream(spool)
    } catch {
      throw unreadable(error)
    }
  }

  /// Returns a body without a length, which is sent while it is read.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if it can't be read.
  func stream() throws(AuthError) -> RequestBody {
    .stream(Spool(try open(), folder: context.spoolFolder))
  }

  /// Returns the range from a file's position to its end; nil for a file without positions, such as a pipe.
  private static func rest(of file: FileDescriptor) throws -> Range<Int64>? {
    do {
      let offset = try file.seek(offset: 0, from: .current)
      let end = try file.seek(offset: 0, from: .end)
      try file.seek(offset: offset, from: .start)
      return offset..<max(offset, end)
    } catch Errno.illegalSeek {
      return nil
    }
  }

  private func open() throws(AuthError) -> FileDescriptor {
    if path == "-" { return context.console.input }
    var isDirectory = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory {
      throw unreadable(Errno.isDirectory)
    }
    do {
      return try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec])
    } catch {
      throw unreadable(error)
    }
  }

  /// Closes a file, except standard input. An error is ignored: the file was only read.
  private func close(_ file: FileDescriptor) {
    if path != "-" { try? file.close() }
  }

  private func unreadable(_ error: any Error) -> AuthError {
    .usage(name, why: "can't be read: \(error)", hint: "check the path and its mode")
  }
}
