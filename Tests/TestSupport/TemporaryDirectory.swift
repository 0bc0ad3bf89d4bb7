public import Foundation
public import SystemPackage

/// A directory that is removed with its owner.
public final class TemporaryDirectory: Sendable {
  /// Where it is.
  public let url: URL

  /// Where it is, as a path.
  public var path: FilePath { FilePath(url.path) }

  /// Creates an empty directory, in one for temporary files unless another is given.
  public init(in parent: URL = FileManager.default.temporaryDirectory) throws {
    url = parent.appending(path: "authctl-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Writes a file below the directory, creates the directories that it needs, and returns its path.
  @discardableResult public func write(_ text: String, to path: String) throws -> String {
    let file = url.appending(path: path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return file.path
  }
}

/// The permission bits of a file.
public func mode(of path: FilePath) throws -> Int? {
  let attributes = try FileManager.default.attributesOfItem(atPath: path.string)
  return (attributes[.posixPermissions] as? Int).map { $0 & 0o777 }
}
