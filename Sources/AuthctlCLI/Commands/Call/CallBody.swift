import AuthCore
import FoundationEssentials
import SystemPackage

/// The body of a call, put together of its `-d`, `--data-raw`, `--data-binary` and `--json` in their order.
struct CallBody: Sendable {
  private let pieces: [Occurrence]
  private let context: Context

  init(_ invocation: Invocation, _ context: Context) {
    let options = [CallOptions.data, CallOptions.dataRaw, CallOptions.dataBinary, CallOptions.json]
    pieces = invocation.occurrences.filter { options.contains($0.option) }
    self.context = context
  }

  /// The body; nil where there is none.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where a file can't be read.
  func body() throws(AuthError) -> RequestBody? {
    guard let first = pieces.first else { return nil }
    if pieces.count == 1, CallBody.keepsBytes(first.option), let path = CallBody.path(first) { return try opened(path) }
    var bytes: [UInt8] = []
    for (index, piece) in pieces.enumerated() {
      if index > 0, piece.option != CallOptions.json { bytes.append(UInt8(ascii: "&")) }
      bytes += try content(of: piece)
    }
    return .bytes(bytes)
  }

  private static func keepsBytes(_ option: Option) -> Bool {
    option == CallOptions.dataBinary || option == CallOptions.json
  }

  /// The file that a piece names; nil where it is the data itself.
  private static func path(_ piece: Occurrence) -> String? {
    guard piece.option != CallOptions.dataRaw, let value = piece.value, value.hasPrefix("@") else { return nil }
    return String(value.dropFirst())
  }

  private func content(of piece: Occurrence) throws(AuthError) -> [UInt8] {
    guard let path = CallBody.path(piece) else { return Array((piece.value ?? "").utf8) }
    let bytes = try all(of: path)
    guard piece.option == CallOptions.data else { return bytes }
    // As in curl: a file of form data may end in, or be broken by, line ends that are not data.
    return bytes.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") && $0 != 0 }
  }

  private func all(of path: String) throws(AuthError) -> [UInt8] {
    let file = try open(path)
    do {
      return try Spool(file, folder: context.spoolFolder).readToEnd()
    } catch {
      throw CallBody.unreadable(path, error)
    }
  }

  /// A body that is sent as it is read: a file by its length, a pipe as its bytes come.
  private func opened(_ path: String) throws(AuthError) -> RequestBody {
    let file = try open(path)
    do {
      if let offset = try? file.seek(offset: 0, from: .current), let end = try? file.seek(offset: 0, from: .end) {
        try file.seek(offset: offset, from: .start)
        if end > offset { return .file(file, offset: offset, length: end - offset) }
      }
      let spool = Spool(file, folder: context.spoolFolder)
      // What ends within a megabyte has a length, which servers like better than chunks.
      if let small = try spool.readAhead() { return .bytes(small) }
      return .stream(spool)
    } catch {
      throw CallBody.unreadable(path, error)
    }
  }

  private func open(_ path: String) throws(AuthError) -> FileDescriptor {
    if path == "-" { return context.console.input }
    var isDirectory = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory {
      throw CallBody.unreadable(path, Errno.isDirectory)
    }
    do {
      return try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec])
    } catch {
      throw CallBody.unreadable(path, error)
    }
  }

  private static func unreadable(_ path: String, _ error: any Error) -> AuthError {
    .usage(.init("@\(Printable.text(path))", why: "it can't be read: \(error)", hint: "check the path and its mode"))
  }
}
