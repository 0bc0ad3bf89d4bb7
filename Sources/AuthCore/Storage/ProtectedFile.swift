import Glibc
package import SystemPackage

/// A file whose content is secret, or decides where secrets go: one that other users could have a hand in is refused.
///
/// As ssh does it: the opened file is checked, not its path; it must belong to the user or to root. A pipe, as a shell
/// makes it of `<(…)`, has no other users.
package struct ProtectedFile: Sendable {
  /// What its owner alone may do.
  package enum Rule: Sendable {
    /// Change it.
    case writableByOwner
    /// Read and change it.
    case readableByOwner
  }

  /// Why a file can't be used.
  package enum Refusal: Error, Equatable {
    /// There is no such file.
    case missing
    /// It can't be opened or read.
    case unreadable(Errno)
    /// It is larger than 1 MiB.
    case tooLarge
    /// It belongs to another user.
    case foreign(owner: UInt32)
    /// Other users may read or change it.
    case open(mode: UInt32)
  }

  private let path: FilePath
  private let rule: Rule

  /// Names the file and the rule for it.
  package init(_ path: FilePath, _ rule: Rule) {
    self.path = path
    self.rule = rule
  }

  /// Reads the file.
  ///
  /// - Throws: ``Refusal``.
  package func contents() throws(Refusal) -> [UInt8] {
    let bytes: [UInt8]?
    do {
      let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
      bytes = try file.closeAfter {
        try check(file.stat())
        return try Spool(file, folder: "/").readAhead()
      }
    } catch let error as Refusal {
      throw error
    } catch Errno.noSuchFileOrDirectory {
      throw .missing
    } catch {
      throw .unreadable(error as? Errno ?? .ioError)
    }
    guard let bytes else { throw .tooLarge }
    return bytes
  }

  /// Checks a folder: other users who may write there can replace its files by links to other files of the user.
  ///
  /// - Throws: ``Refusal``.
  package static func checkFolder(_ path: FilePath) throws(Refusal) {
    let status: Stat
    do throws(Errno) { status = try path.stat() } catch { throw .unreadable(error) }
    try ProtectedFile(path, .writableByOwner).check(status, as: .directory)
  }

  private func check(_ status: Stat, as type: FileType = .regular) throws(Refusal) {
    guard status.type == type else { return }
    let owner = status.userID.rawValue
    guard owner == 0 || owner == geteuid() else { throw .foreign(owner: owner) }
    let forbidden: FilePermissions =
      switch rule {
      case .writableByOwner: [.groupWrite, .otherWrite]
      case .readableByOwner: [.groupReadWriteExecute, .otherReadWriteExecute]
      }
    guard status.permissions.isDisjoint(with: forbidden) else {
      throw .open(mode: UInt32(status.permissions.rawValue & 0o777))
    }
  }
}

extension ProtectedFile.Refusal {
  /// Why, as a phrase.
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

  /// What to do about it.
  package func hint(_ path: FilePath, _ rule: ProtectedFile.Rule) -> String {
    let word = ShellWord.quoted(Escaped.text(path.string))
    return switch self {
    case .missing, .unreadable, .tooLarge: "check the path, its owner and its mode"
    case .foreign: "use a file of your own: copy it, or run: chown \(geteuid()) \(word)"
    case .open:
      switch rule {
      case .writableByOwner: "run: chmod go-w \(word)"
      case .readableByOwner: "run: chmod 600 \(word)"
      }
    }
  }
}
