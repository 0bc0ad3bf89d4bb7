import AuthctlCLI
import CProcess
import Glibc
import SystemPackage

/// Starts this program again as a separate process.
struct SystemRelauncher: Relauncher {
  func start(_ order: String, _ profile: String, _ option: String?, holding lock: FileDescriptor) throws(Errno)
    -> FileDescriptor
  {
    // C only reads the strings, and only during the call.
    let pipe = unsafe cprocess_start_apart(order, profile, option, lock.rawValue)
    guard pipe >= 0 else { throw Errno(rawValue: errno) }
    return FileDescriptor(rawValue: pipe)
  }

  func allowTermination() { cprocess_leave_section() }

  func blockTermination() { cprocess_enter_section() }

  func holdsLock(on path: FilePath) -> Bool {
    unsafe cprocess_holds_lock(path.string)
  }

  func keepFiles() { cprocess_keep_files() }

  func endAfter(_ time: Duration) { cprocess_end_after(UInt32(clamping: time.components.seconds)) }
}

/// Replaces this process with another program.
struct SystemReplacement: ProcessReplacement {
  /// The environment that this program was started with.
  let environment: [String: String]

  func become(_ words: [String], adding variables: [String: String]) -> Errno {
    let environment = environment.merging(variables) { _, new in new }
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    var pairs = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
    // C only reads the strings, and returns only on failure.
    let failure = unsafe cprocess_become(&arguments, &pairs)
    unsafe (arguments + pairs).forEach { unsafe free($0) }
    return Errno(rawValue: failure)
  }
}
