import Foundation

/// A small program or library in C that a test needs, compiled into a folder which goes with it.
public final class CProgram: Sendable {
  /// What is made of the source.
  public enum Form: Sendable {
    /// A program.
    case program
    /// A library for `LD_PRELOAD`.
    case library
  }

  /// The file that was made.
  public let path: String
  private let folder: URL

  /// Compiles a source text.
  /// - Throws: `SessionError` with what the compiler says.
  public init(_ source: String, as form: Form) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "c-\(UUID())")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    path = folder.appending(path: form == .program ? "program" : "library.so").path
    let file = folder.appending(path: "source.c")
    try Data(source.utf8).write(to: file)
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    let words = form == .library ? ["-shared", "-fPIC"] : []
    process.arguments = ["clang", "-O1", "-Wall", "-Werror"] + words + ["-o", path, file.path]
    process.standardError = errors
    try process.run()
    let said = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw SessionError(String(decoding: said, as: UTF8.self)) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
