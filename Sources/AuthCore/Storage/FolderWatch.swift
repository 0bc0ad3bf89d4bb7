import Glibc
package import SystemPackage

/// Reports which files of a folder change: inotify(7).
package struct FolderWatch: Sendable {
  /// The changes that are reported.
  package enum Changes: Sendable {
    /// Files are written to.
    case writes
    /// Files are added, edited or removed, and their modes or that of the folder change.
    case edits

    fileprivate var mask: UInt32 {
      switch self {
      case .writes: UInt32(IN_MODIFY)
      // A new file is reported when it is closed: it is complete then.
      case .edits:
        UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE) | UInt32(IN_ATTRIB)
          | UInt32(IN_MOVE_SELF)
      }
    }
  }

  /// The descriptor, which can be read when a file has changed. The owner of the watch closes it.
  package let descriptor: FileDescriptor

  /// Starts to watch a folder, which is created if it does not exist.
  ///
  /// - Throws: the system's error.
  package init(_ folder: FilePath, for changes: Changes = .writes) throws(Errno) {
    try PrivateFolder.make(folder)
    let raw = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard raw >= 0 else { throw Errno(rawValue: errno) }
    descriptor = FileDescriptor(rawValue: raw)
    guard unsafe inotify_add_watch(raw, folder.string, changes.mask) >= 0 else {
      let error = Errno(rawValue: errno)
      // The error of the watch is the one to report.
      try? descriptor.close()
      throw error
    }
  }

  /// Returns the names of the files that have changed since the last call; nil if any may have: the folder itself has
  /// changed, or too many files for a list.
  ///
  /// - Throws: the system's error.
  package func changedNames() throws(Errno) -> Set<String>? {
    var names: Set<String> = []
    var buffer = [UInt8](repeating: 0, count: 16384)
    while true {
      let count = unsafe Glibc.read(descriptor.rawValue, &buffer, buffer.count)
      guard count > 0 else {
        let error = Errno(rawValue: errno)
        guard count == 0 || error == .wouldBlock || error == .interrupted else { throw error }
        return names
      }
      guard let more = FolderWatch.names(in: buffer.prefix(count)) else { return nil }
      names.formUnion(more)
    }
  }

  /// Reads a sequence of `struct inotify_event`: four numbers of 32 bits, then as many bytes as the last one says with
  /// the name and at least one zero. Returns nil if an event is about the folder itself or the kernel has dropped some.
  static func names(in events: ArraySlice<UInt8>) -> [String]? {
    func number(at index: Int) -> UInt32 {
      unsafe events.withUnsafeBytes {
        unsafe $0.loadUnaligned(fromByteOffset: index - events.startIndex, as: UInt32.self)
      }
    }
    var names: [String] = []
    var start = events.startIndex
    while start + 16 <= events.endIndex {
      let end = min(start + 16 + Int(number(at: start + 12)), events.endIndex)
      let name = events[start + 16..<end].prefix { $0 != 0 }
      // An event without a name is about the folder itself, or IN_Q_OVERFLOW.
      guard !name.isEmpty else { return nil }
      names.append(String(decoding: name, as: UTF8.self))
      start = end
    }
    return names
  }
}
