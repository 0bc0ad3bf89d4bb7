import Foundation
import SystemPackage

/// A directory that goes with its owner.
final class TemporaryDirectory: Sendable {
  let path: FilePath

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "authcore-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = FilePath(url.path)
  }

  deinit { try? FileManager.default.removeItem(atPath: path.string) }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path.appending(name).string))
  }
}

/// The permission bits of a file.
func mode(of path: FilePath) throws -> Int? {
  try FileManager.default.attributesOfItem(atPath: path.string)[.posixPermissions] as? Int
}
