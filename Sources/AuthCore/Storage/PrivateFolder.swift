import Glibc
package import SystemPackage

/// Creates folders that only their owner may access.
package enum PrivateFolder {
  /// Creates a folder with mode 0700 and its missing parent folders; an existing folder is unchanged.
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
