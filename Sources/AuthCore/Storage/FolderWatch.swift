import Glibc
package import SystemPackage

/// Reports which files of a folder are written to: inotify(7).
package struct FolderWatch: Sendable {
  /// The descriptor, which can be read when a file has changed. The owner of the watch closes it.
  package let descriptor: FileDescriptor

  /// Starts to watch a folder, which is created if it does not exist.
  ///
  /// - Throws: the system's error.
  package init(_ folder: FilePath) throws(Errno) {
    try PrivateFolder.make(folder)
    let raw = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard raw >= 0 else { throw Errno(rawValue: errno) }
    descriptor = FileDescriptor(rawValue: raw)
    guard unsafe inotify_add_watch(raw, folder.string, UInt32(IN_MODIFY)) >= 0 else {
      let error = Errno(rawValue: errno)
      // The error of the watch is the one to report.
      try? descriptor.close()
      throw error
    }
  }

  /// Returns the names of the files that have changed since the last call; nil if too many have for a list.
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
  /// the name and at least one zero. Returns nil if the kernel has dropped events.
  static func names(in events: ArraySlice<UInt8>) -> [String]? {
    func number(at index: Int) -> UInt32 {
      unsafe events.withUnsafeBytes {
        unsafe $0.loadUnaligned(fromByteOffset: index - events.startIndex, as: UInt32.self)
      }
    }
    var names: [String] = []
    var start = events.startIndex
    while start + 16 <= events.endIndex {
      guard number(at: start + 4) & UInt32(IN_Q_OVERFLOW) == 0 else { return nil }
      let end = min(start + 16 + Int(number(at: start + 12)), events.endIndex)
      let name = events[start + 16..<end].prefix { $0 != 0 }
      if !name.isEmpty { names.append(String(decoding: name, as: UTF8.self)) }
      start = end
    }
    return names
  }
}
