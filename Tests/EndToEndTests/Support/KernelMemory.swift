import Foundation
import TestSupport

/// What authctl keeps in the kernel's memory for a workplace; it is dropped when the test is over.
final class KernelMemory {
  private let scope: String
  private let probe = Authlab.binary.deletingLastPathComponent().appending(path: "KernelKeysProbe").path

  /// Looks at what a workplace has there.
  init(_ place: Workplace) {
    scope = place.session.directory.appending(path: "s/authctl").path
  }

  deinit { _ = try? run("drop") }

  /// Whether the tokens of the profile `work` are there.
  func holdsTokens() throws -> Bool { try run("held") != "(none)" }

  /// Whether this machine lets its processes keep anything there.
  static let isThere: Bool = {
    guard let place = try? Workplace(.none) else { return false }
    let memory = KernelMemory(place)
    return (try? memory.run("hold")) != nil && (try? memory.holdsTokens()) == true
  }()

  private func run(_ order: String) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: probe)
    process.arguments = [order, scope, "work"]
    process.standardInput = FileHandle(forReadingAtPath: "/etc/hostname")
    process.standardOutput = output
    try process.run()
    let response = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw SessionError(String(decoding: response, as: UTF8.self)) }
    return String(decoding: response, as: UTF8.self).trimmingCharacters(in: .newlines)
  }
}
