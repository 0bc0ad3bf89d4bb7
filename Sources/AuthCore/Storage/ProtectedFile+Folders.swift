import Glibc
package import SystemPackage

extension ProtectedFile {
  /// Checks a folder and those above it: other users with write permission can replace its files by links to other
  /// files of the user.
  ///
  /// - Throws: ``Refusal``.
  package static func checkFolder(_ path: FilePath) throws(Refusal) {
    let status: Stat
    do throws(Errno) { status = try path.stat() } catch { throw .unreadable(error) }
    let owner = status.userID.rawValue
    guard owner == 0 || owner == geteuid() else { throw .foreign(owner: owner) }
    guard status.permissions.isDisjoint(with: othersWrite) else {
      throw .open(mode: UInt32(status.permissions.rawValue & 0o777))
    }
    try checkFolders(above: path)
  }

  private static let othersWrite: FilePermissions = [.groupWrite, .otherWrite]

  /// Checks the folders above a path, up to the root.
  static func checkFolders(above path: FilePath) throws(Refusal) {
    var folder = path.isAbsolute ? path : FilePath(workingDirectory).pushing(path)
    while folder.removeLastComponent() { try checkOne(folder) }
  }

  /// Checks one folder above a file; for a link, also the folder that it leads to, and those above that.
  private static func checkOne(_ folder: FilePath) throws(Refusal) {
    let status: Stat
    do throws(Errno) {
      status = try folder.stat(followTargetSymlink: false)
    } catch {
      throw .folder(folder, .unreadable(error))
    }
    guard status.type != .symbolicLink else {
      guard let target = unsafe realpath(folder.string, nil) else {
        throw .folder(folder, .unreadable(Errno(rawValue: errno)))
      }
      defer { unsafe free(target) }
      let path = unsafe FilePath(String(cString: target))
      try checkOne(path)
      return try checkFolders(above: path)
    }
    let owner = status.userID.rawValue
    guard owner == 0 || owner == geteuid() || isRootOutside(owner) else {
      throw .folder(folder, .foreign(owner: owner))
    }
    // In a sticky folder, such as /tmp, only its owner can replace the files of others.
    let isSticky = status.permissions.contains(.saveText) && (owner == 0 || isRootOutside(owner))
    guard isSticky || status.permissions.isDisjoint(with: othersWrite) else {
      throw .folder(folder, .open(mode: UInt32(status.permissions.rawValue & 0o777)))
    }
  }

  /// Whether an owner is one of the users that a user namespace does not have, such as root for a sandbox or a
  /// container without root (user_namespaces(7)).
  private static func isRootOutside(_ owner: UInt32) -> Bool {
    // Without the file there are no namespaces.
    guard owner == 65534, let map = try? ProtectedFile("/proc/self/uid_map", .protectedBySystem).contents() else {
      return false
    }
    return String(decoding: map, as: UTF8.self).split(atAny: " \n").map(String.init) != ["0", "0", "4294967295"]
  }

  private static var workingDirectory: String {
    guard let path = unsafe getcwd(nil, 0) else { return "/" }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }
}
