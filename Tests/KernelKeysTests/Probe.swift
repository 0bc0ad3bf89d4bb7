import Foundation
import TestSupport

/// Runs `KernelKeysProbe`, which the build puts beside the tests.
enum Probe {
  /// How it ended, and what it said.
  struct Answer: Equatable {
    let status: Int32
    let text: String
  }

  private static let binary = Authlab.binary.deletingLastPathComponent().appending(path: "KernelKeysProbe").path

  /// Runs it as this user; `wrapper` is a program that runs the rest of its command line.
  static func run(_ words: String..., input: String? = nil, through wrapper: String? = nil) throws -> Answer {
    try run([wrapper].compactMap { $0 } + [binary] + words, input)
  }

  /// Runs a copy that all may run, as the user `nobody` in a session of its own.
  static func runAsNobody(_ words: String..., input: String? = nil) throws -> Answer {
    let folder = FileManager.default.temporaryDirectory.appending(path: "kernel-keys-\(UUID())")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    defer { try? FileManager.default.removeItem(at: folder) }
    let copy = folder.appending(path: "probe").path
    // By another process: a child of another test could inherit the open file, which then can't be run.
    guard try ChildProcess("install", ["-m", "755", binary, copy], environment: [:]).wait() == 0 else {
      throw SessionError("\(binary) can't be copied")
    }
    let user = ["/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
    return try run(["/usr/bin/setsid", "--wait"] + user + [copy] + words, input)
  }

  private static func run(_ words: [String], _ text: String?) throws -> Answer {
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    process.standardInput = text == nil ? FileHandle.nullDevice : input
    process.standardOutput = output
    try process.run()
    // One that ends before it reads says why: its answer is checked.
    if let text { try? input.fileHandleForWriting.write(contentsOf: Data((text + "\n").utf8)) }
    try input.fileHandleForWriting.close()
    let response = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Answer(
      status: process.terminationStatus,
      text: String(decoding: response, as: UTF8.self).trimmingCharacters(in: .newlines))
  }
}
