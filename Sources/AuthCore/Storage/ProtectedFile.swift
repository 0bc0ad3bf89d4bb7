import Glibc
package import SystemPackage

/// A file that contains secrets or decides where they are sent. It is refused if other users have access that its rule
/// forbids.
///
/// As in ssh, the opened file is checked, not its path, and it must belong to the user or to root, as must the folders
/// above it. It is opened without waiting, and only a regular file is read, or a pipe if one is expected: a pipe, such
/// as a shell creates for `<(…)`, is not checked, because other users have no access to it.
package struct ProtectedFile: Sendable {
  /// The access that only the owner may have.
  package enum Rule: Sendable {
    /// Only the owner may change it.
    case writableByOwner
    /// Only the owner may read and change it.
    case readableByOwner
    /// Any owner and mode: the system protects the folder that it is in.
    case protectedBySystem
  }

  /// The reason why a file can't be used.
  package enum Refusal: Error, Equatable {
    /// The file does not exist.
    case missing
    /// It can't be opened or read.
    case unreadable(Errno)
    /// It is a pipe, a socket or a device.
    case irregular
    /// It is larger than the limit.
    case tooLarge
    /// It belongs to another user.
    case foreign(owner: UInt32)
    /// Other users may read or change it.
    case open(mode: UInt32)
    /// Other users may replace it, because of a folder above it.
    indirect case folder(FilePath, Refusal)
  }

  private let path: FilePath
  private let rule: Rule
  private let mayBePipe: Bool
  private let checksFolders: Bool

  /// Creates a protected file from its path and its rule.
  ///
  /// - Parameters:
  ///   - mayBePipe: whether a pipe or a terminal is read, too; a path such as `/dev/fd/63` means one in any case.
  ///   - checksFolders: whether the folders above a regular file are checked.
  package init(_ path: FilePath, _ rule: Rule, mayBePipe: Bool = false, checksFolders: Bool = true) {
    self.path = path
    self.rule = rule
    self.mayBePipe = mayBePipe || path.starts(with: "/dev/fd") || path.starts(with: "/proc/self/fd")
    self.checksFolders = checksFolders && rule != .protectedBySystem
  }

  /// Reads the file.
  ///
  /// - Parameter limit: the maximum size in bytes.
  /// - Throws: ``Refusal``.
  package func contents(limit: Int = 1 << 20) throws(Refusal) -> [UInt8] {
    try opened { file, type in try ProtectedFile.bytes(of: file, isPipe: type != .regular, limit: limit) }
  }

  /// Checks the file without reading it.
  ///
  /// - Throws: ``Refusal``.
  package func check() throws(Refusal) { try opened { _, _ in } }

  private func opened<Result>(_ body: (FileDescriptor, FileType) throws -> Result) throws(Refusal) -> Result {
    do {
      // A pipe without a writer must not block.
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
      return try file.closeAfter {
        let status = try file.stat()
        try check(status)
        return try body(file, status.type)
      }
    } catch let error as Refusal {
      throw error
    } catch Errno.noSuchFileOrDirectory {
      throw .missing
    } catch {
      throw .unreadable(error as? Errno ?? .ioError)
    }
  }

  private func check(_ status: Stat) throws(Refusal) {
    switch status.type {
    case .regular:
      try ProtectedFile.check(status, rule)
      if checksFolders { try ProtectedFile.checkFolders(above: path) }
    case .directory: throw .unreadable(.isDirectory)
    default: guard mayBePipe else { throw .irregular }
    }
  }

  private static func bytes(of file: FileDescriptor, isPipe: Bool, limit: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      if isPipe { try waitForWriter(of: file) }
      let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
      guard count > 0 else { return bytes }
      guard bytes.count + count <= limit else { throw Refusal.tooLarge }
      bytes += buffer.prefix(count)
    }
  }

  /// Waits at most five minutes, which a person may need to unlock a password manager.
  private static func waitForWriter(of file: FileDescriptor) throws {
    var entry = pollfd(fd: file.rawValue, events: Int16(POLLIN), revents: 0)
    while true {
      let count = unsafe poll(&entry, 1, 300_000)
      if count > 0 { return }
      let error = count == 0 ? Errno.timedOut : Errno(rawValue: errno)
      guard error == .interrupted else { throw error }
    }
  }

  private static func check(_ status: Stat, _ rule: Rule) throws(Refusal) {
    guard rule != .protectedBySystem else { return }
    let owner = status.userID.rawValue
    guard owner == 0 || owner == geteuid() else { throw .foreign(owner: owner) }
    let forbidden: FilePermissions =
      switch rule {
      case .writableByOwner: [.groupWrite, .otherWrite]
      case .readableByOwner: [.groupReadWriteExecute, .otherReadWriteExecute]
      case .protectedBySystem: []
      }
    guard status.permissions.isDisjoint(with: forbidden) else {
      throw .open(mode: UInt32(status.permissions.rawValue & 0o777))
    }
  }
}

extension ProtectedFile.Refusal {
  /// The reason as a phrase.
  package var why: String {
    switch self {
    case .missing: "there is no such file"
    case .unreadable(.permissionDenied): "permission denied"
    case .unreadable(.timedOut): "nothing was written to the pipe within 5 minutes"
    case .unreadable(let error): "it can't be read: \(error)"
    case .irregular: "it is not a regular file"
    case .tooLarge: "it is larger than 1 MiB"
    case .foreign(let owner): "it belongs to another user (uid \(owner))"
    case .open(let mode): "other users may access it (mode \(String(mode, radix: 8)))"
    case .folder(let folder, .foreign(let owner)): "the folder \(folder) belongs to another user (uid \(owner))"
    case .folder(let folder, .open(let mode)):
      "other users may change the folder \(folder) (mode \(String(mode, radix: 8)))"
    case .folder(let folder, let reason): "the folder \(folder): \(reason.why)"
    }
  }

  /// How to fix it.
  package func hint(_ path: FilePath, _ rule: ProtectedFile.Rule) -> String {
    let word = ShellWord.quoted(path.string)
    return switch self {
    case .missing, .unreadable, .tooLarge: "check the path, its owner and its mode"
    case .irregular: "use a regular file"
    case .foreign: "use a file of your own: copy it, or run: chown \(geteuid()) \(word)"
    case .open:
      switch rule {
      case .writableByOwner: "run: chmod go-w \(word)"
      case .readableByOwner, .protectedBySystem: "run: chmod 600 \(word)"
      }
    case .folder(_, .foreign): "move it to a folder of your own"
    case .folder(let folder, let reason): reason.hint(folder, .writableByOwner)
    }
  }
}
