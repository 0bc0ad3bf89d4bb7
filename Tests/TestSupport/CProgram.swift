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
  ///
  /// - Parameter libraries: what it uses, by the names that pkg-config knows.
  /// - Throws: `SessionError` with what the compiler says.
  public init(_ source: String, as form: Form, libraries: [String] = []) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "c-\(UUID())")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    path = folder.appending(path: form == .program ? "program" : "library.so").path
    let file = folder.appending(path: "source.c")
    try Data(source.utf8).write(to: file)
    let words = form == .library ? ["-shared", "-fPIC"] : []
    let flags = libraries.isEmpty ? "" : try CProgram.run(["pkg-config", "--cflags", "--libs"] + libraries)
    _ = try CProgram.run(
      ["clang", "-O1", "-Wall", "-Werror"] + words + ["-o", path, file.path]
        + flags.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  /// Compiles `NAME.c` in Tests/Torture.
  ///
  /// - Throws: `SessionError` with what the compiler says.
  convenience init(tortureSource name: String, as form: Form) throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    try self.init(String(contentsOf: tests.appending(path: "Torture/\(name).c"), encoding: .utf8), as: form)
  }

  /// Runs a command and returns what it writes.
  private static func run(_ words: [String]) throws -> String {
    let process = try ChildProcess(
      "/bin/sh", ["-c", "exec \"$@\" 2>&1", "sh"] + words, environment: ProcessInfo.processInfo.environment)
    let said = String(decoding: process.output.readDataToEndOfFile(), as: UTF8.self)
    guard process.wait() == 0 else { throw SessionError(said) }
    return said
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
