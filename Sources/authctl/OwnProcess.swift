import AuthctlCLI
import CProcess
import Glibc
import SystemPackage

/// This process, and how it is started once more.
struct OwnProcess: ProcessApart {
  func start(_ order: String, _ profile: String, verbose: Bool, holding lock: FileDescriptor) throws(Errno)
    -> FileDescriptor
  {
    // C only reads the texts, while it runs.
    let pipe = unsafe cprocess_start_apart(order, profile, verbose ? "--verbose" : nil, lock.rawValue)
    guard pipe >= 0 else { throw Errno(rawValue: errno) }
    return FileDescriptor(rawValue: pipe)
  }

  func letGo() { cprocess_leave_section() }

  func holdOn() { cprocess_enter_section() }

  func holdsLock(on path: FilePath) -> Bool {
    unsafe cprocess_holds_lock(path.string)
  }

  func keepFiles() { cprocess_keep_files() }

  func endAfter(_ time: Duration) { cprocess_end_after(UInt32(clamping: time.components.seconds)) }
}
