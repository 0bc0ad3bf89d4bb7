import FoundationEssentials
public import SystemPackage

/// Folders that only their owner may enter.
public enum PrivateFolder {
  /// Makes a folder with mode 0700, and what is missing above it; one that is there stays as it is.
  ///
  /// - Throws: the file system's error.
  public static func make(_ path: FilePath) throws {
    try FileManager.default.createDirectory(
      atPath: path.string, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }
}
