import Foundation
import TestSupport

/// The key of a workplace's profile `work` in the kernel's memory; it is removed when the test is over.
final class CacheKey {
  private let name: String

  /// Looks at the key of a workplace.
  init(_ place: Workplace) throws {
    let lock = place.session.directory.appending(path: "s/authctl/locks/work.lock").path
    let line = try CacheKey.run("/usr/bin/printf %s \"$0\" | sha256sum", lock)
    name = String(line.prefix(64))
  }

  deinit { _ = try? probe("discard", "-") }

  /// The text in the key; nil if there is none.
  func text() throws -> String? {
    let text = try probe("kept", "-")
    return text == "(none)" ? nil : text
  }

  /// Replaces the text in the key, as another program of the user can.
  func overwrite(_ text: String) throws { _ = try probe("keep", "60", text) }

  private func probe(_ order: String, _ last: String, _ input: String? = nil) throws -> String {
    let binary = Authlab.binary.deletingLastPathComponent().appending(path: "KernelKeysProbe").path
    return try CacheKey.run("exec '\(binary)' \(order) \"$0\" \(last)", name, input)
  }

  /// - Parameter text: its standard input; nil for one that is not read, and may be closed before anything is written.
  private static func run(_ script: String, _ argument: String, _ text: String? = nil) throws -> String {
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", script, argument]
    process.standardInput = text == nil ? FileHandle.nullDevice : input
    process.standardOutput = output
    try process.run()
    if let text { try input.fileHandleForWriting.write(contentsOf: Data((text + "\n").utf8)) }
    try input.fileHandleForWriting.close()
    let response = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw SessionError(response) }
    return response.trimmingCharacters(in: .newlines)
  }
}
