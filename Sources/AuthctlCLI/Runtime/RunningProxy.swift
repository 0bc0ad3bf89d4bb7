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
      let record = try RunningProxy(context.proxyFolder.appending("\(content.pid)"))
      try record.file.writeAll(JSONEncoder().encode(content))
      return record
    } catch {
      context.console.note("authctl: warning: status will not show this proxy: \(error)")
      return nil
    }
  }

  private init(_ path: FilePath) throws {
    self.path = path
    var file = try RunningProxy.open(path)
    // The reader of a file that nobody had locked yet may have removed it.
    while try flock(file.rawValue, LOCK_EX | LOCK_NB) != 0 || (try? path.stat().inode) != file.stat().inode {
      try file.close()
      file = try RunningProxy.open(path)
    }
    self.file = file
  }

  private static func open(_ path: FilePath) throws -> FileDescriptor {
    try FileDescriptor.open(
      path, .readWrite, options: [.create, .truncate, .closeOnExec, .noFollow], permissions: .ownerReadWrite)
  }

  /// Removes the record.
  func remove() {
    // What remains after a failure, the next reader removes.
    _ = unsafe unlink(path.string)
    try? file.close()
  }

  /// Returns the proxies of this user that run, in the order of their addresses.
  static func all(_ context: Context) -> [Content] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: context.proxyFolder.string)) ?? []
    return names.compactMap { RunningProxy.read(context.proxyFolder.appending($0)) }.sorted { $0.address < $1.address }
  }

  /// Reads the file of a proxy; nil if its process has ended. Then the file is removed.
  private static func read(_ path: FilePath) -> Content? {
    guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .noFollow]) else { return nil }
    defer { try? file.close() }
    guard flock(file.rawValue, LOCK_SH | LOCK_NB) != 0 else {
      _ = unsafe unlink(path.string)
      return nil
    }
    let bytes = try? ProtectedFile(path, .protectedBySystem).contents()
    return bytes.flatMap { try? JSONDecoder().decode(Content.self, from: Data($0)) }
  }
}
