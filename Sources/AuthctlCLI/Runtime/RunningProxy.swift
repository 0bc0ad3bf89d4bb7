import AuthCore
import FoundationEssentials
import Glibc
import SystemPackage

/// A proxy that runs, as `status` shows it: a file in the state folder, which its process keeps locked.
struct RunningProxy: Sendable {
  /// What the file holds; never the key.
  struct Content: Codable, Sendable, Equatable {
    /// Where it listens: `http://127.0.0.1:8080`.
    let address: String
    /// The names of its profiles.
    let profiles: [String]
    /// Its process.
    let pid: Int32
  }

  private let path: FilePath
  private let file: FileDescriptor

  /// Records a proxy of this process. Without the folder it runs, too, but `status` does not show it.
  static func record(address: String, profiles: [String], _ context: Context) -> RunningProxy? {
    let content = Content(address: address, profiles: profiles, pid: getpid())
    do {
      try PrivateFolder.make(context.proxyFolder)
      return try RunningProxy(content, in: context.proxyFolder, named: context.random())
    } catch {
      context.console.note("authctl: warning: status will not show this proxy: \(error)")
      return nil
    }
  }

  /// - Parameter name: a name that no other process has.
  private init(_ content: Content, in folder: FilePath, named name: String) throws {
    path = folder.appending(name + RunningProxy.suffix)
    let draft = folder.appending(name)
    file = try FileDescriptor.open(
      draft, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec, .noFollow], permissions: .ownerReadWrite)
    // It has its name only when it is locked and complete.
    _ = flock(file.rawValue, LOCK_EX | LOCK_NB)
    try file.writeAll(JSONEncoder().encode(content))
    guard unsafe rename(draft.string, path.string) == 0 else { throw Errno(rawValue: errno) }
  }

  private static let suffix = ".proxy"

  /// Removes the record.
  func remove() {
    // What remains after a failure, the next reader removes.
    _ = unsafe unlink(path.string)
    try? file.close()
  }

  /// Returns the proxies of this user that run, in the order of their addresses.
  static func all(_ context: Context) -> [Content] {
    let folder = context.proxyFolder
    // Files are removed here: not where a symbolic link leads.
    guard let status = try? folder.stat(followTargetSymlink: false), status.type == .directory,
      status.userID.rawValue == geteuid(),
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder.string)
    else { return [] }
    return names.filter { $0.ends(withBytes: suffix) }
      .compactMap { RunningProxy.read(folder.appending($0)) }.sorted { $0.address < $1.address }
  }

  /// Reads the file of a proxy; nil if its process has ended. Then the file is removed.
  private static func read(_ path: FilePath) -> Content? {
    guard
      let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
    else { return nil }
    defer { try? file.close() }
    guard let bytes = try? ProtectedFile(path, .readableByOwner, checksFolders: false).contents(),
      let content = try? JSONDecoder().decode(Content.self, from: Data(bytes))
    else { return nil }
    guard flock(file.rawValue, LOCK_SH | LOCK_NB) == 0 else { return content }
    _ = unsafe unlink(path.string)
    return nil
  }
}
