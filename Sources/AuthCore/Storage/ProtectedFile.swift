import Glibc
package import SystemPackage

/// A file that contains secrets or decides where they are sent. It is refused if other users have access that its rule
/// forbids.
///
/// As in ssh, the opened file is checked, not its path, and it must belong to the user or to root. A pipe, such as a
/// shell creates for `<(…)`, is not checked, because other users have no access to it.
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
    /// It is larger than the limit.
    case tooLarge
    /// It belongs to another user.
    case foreign(owner: UInt32)
    /// Other users may read or change it.
    case open(mode: UInt32)
  }

  private let path: FilePath
  private let rule: Rule

  /// Creates a protected file from its path and its rule.
  package init(_ path: FilePath, _ rule: Rule) {
    self.path = path
    self.rule = rule
  }

  /// Reads the file.
  ///
  /// - Parameter limit: the maximum size in bytes.
  /// - Throws: ``Refusal``.
  package func contents(limit: Int = 1 << 20) throws(Refusal) -> [UInt8] {
    let bytes: [UInt8]
    do {
      let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
      bytes = try file.closeAfter {
        try check(file.stat())
        return try ProtectedFile.bytes(of: file, limit: limit)
      }
    } catch let error as Refusal {
      throw error
    } catch Errno.noSuchFileOrDirectory {
      throw .missing
    } catch {
      throw .unreadable(error as? Errno ?? .ioError)
    }
    return bytes
  }

  private static func bytes(of file: FileDescriptor, limit: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
      guard count > 0 else { return bytes }
      guard bytes.count + count <= limit else { throw Refusal.tooLarge }
      bytes += buffer.prefix(count)
    }
  }

  /// Checks a folder: other users with write permission can replace its files by links to other files of the user.
  ///
  /// - Throws: ``Refusal``.
  package static func checkFolder(_ path: FilePath) throws(Refusal) {
    let status: Stat
    do throws(Errno) { status = try path.stat() } catch { throw .unreadable(error) }
    try ProtectedFile(path, .writableByOwner).check(status, as: .directory)
  }

  private func check(_ status: Stat, as type: FileType = .regular) throws(Refusal) {
    guard status.type == type, rule != .protectedBySystem else { return }
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
    case .unreadable(let error): "it can't be read: \(error)"
    case .tooLarge: "it is larger than 1 MiB"
    case .foreign(let owner): "it belongs to another user (uid \(owner))"
    case .open(let mode): "other users may access it (mode \(String(mode, radix: 8)))"
    }
  }

  /// How to fix it.
  package func hint(_ path: FilePath, _ rule: ProtectedFile.Rule) -> String {
    let word = ShellWord.quoted(Escaped.text(path.string))
    return switch self {
    case .missing, .unreadable, .tooLarge: "check the path, its owner and its mode"
    case .foreign: "use a file of your own: copy it, or run: chown \(geteuid()) \(word)"
    case .open:
      switch rule {
      case .writableByOwner: "run: chmod go-w \(word)"
      case .readableByOwner, .protectedBySystem: "run: chmod 600 \(word)"
      }
    }
  }
}
