import Glibc
package import SystemPackage

/// Folders that only their owner may enter.
package enum PrivateFolder {
  /// Makes a folder with mode 0700, and what is missing above it; one that is there stays as it is.
  ///
  /// - Throws: the file system's error.
  package static func make(_ path: FilePath) throws(Errno) {
    do throws(Errno) {
      try makeOne(path)
    } catch {
      let folder = path.removingLastComponent()
      guard error == .noSuchFileOrDirectory, !folder.isEmpty, folder != path else { throw error }
      try make(folder)
      try makeOne(path)
    }
  }

  private static func makeOne(_ path: FilePath) throws(Errno) {
    guard unsafe mkdir(path.string, 0o700) != 0, errno != EEXIST else { return }
    throw Errno(rawValue: errno)
  }
}
