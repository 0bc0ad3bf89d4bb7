import AuthCore
import FoundationEssentials
import SystemPackage

/// A file of which a body is made, or standard input (`-`).
struct BodySource: Sendable {
  private let path: String
  private let context: Context

  /// Names it; nothing is opened yet.
  init(_ path: String, _ context: Context) {
    self.path = path
    self.context = context
  }

  /// All of it, in memory.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where it can't be read.
  func content() throws(AuthError) -> [UInt8] {
    let file = try open()
    do {
      defer { close(file) }
      return try Spool(file, folder: context.spoolFolder).readToEnd()
    } catch {
      throw unreadable(error)
    }
  }

  /// A body that is sent as it is read: a file by its length, a pipe as its bytes come.
  ///
  /// - Parameter readingAhead: whether what ends within a megabyte of a pipe gets a length, which servers like better
  ///   than chunks.
  /// - Throws: ``AuthError/usage(_:)`` where it can't be read.
  func body(readingAhead: Bool) throws(AuthError) -> RequestBody {
    let file = try open()
    do {
      let rest = try BodySource.rest(of: file)
      if let rest, !rest.isEmpty {
        return .file(file, offset: rest.lowerBound, length: rest.upperBound - rest.lowerBound)
      }
      let spool = Spool(file, folder: context.spoolFolder)
      // What the kernel makes up while it is read (in /proc) looks empty.
      if readingAhead || rest != nil, let small = try spool.readAhead() { return .bytes(small) }
      return .stream(spool)
    } catch {
      throw unreadable(error)
    }
  }

  /// A body whose length is not looked for, so that it is sent as it comes.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where it can't be read.
  func stream() throws(AuthError) -> RequestBody {
    .stream(Spool(try open(), folder: context.spoolFolder))
  }

  /// Where a file stands and where it ends; nil for what has no places, such as a pipe.
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

  /// Standard input stays open; a file that was read has nothing to lose when its closing fails.
  private func close(_ file: FileDescriptor) {
    if path != "-" { try? file.close() }
  }

  private func unreadable(_ error: any Error) -> AuthError {
    .usage(.init("@\(Escaped.text(path))", why: "can't be read: \(error)", hint: "check the path and its mode"))
  }
}
