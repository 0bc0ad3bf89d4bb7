import AuthCore
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

/// Runs another program: in this process, or as its child.
struct SystemReplacement: ProcessReplacement {
  /// The environment that this program was started with.
  let environment: [String: String]

  func become(_ words: [String], adding variables: [String: String]) -> Errno {
    let environment = environment.merging(variables) { _, new in new }
    return unsafe Errno(rawValue: call(words, environment) { unsafe cprocess_become($0, $1) })
  }

  func run(_ words: [String], changing variables: [String: String?]) async throws(Errno) -> Int32 {
    var environment = environment
    for (name, value) in variables { environment[name] = value }
    return try await WorkerThread.outcome("child") { [environment] () throws(Errno) in
      let failure = unsafe call(words, environment) { unsafe cprocess_start($0, $1) }
      guard failure == 0 else { throw Errno(rawValue: failure) }
      return cprocess_wait()
    }.get()
  }

  /// Calls C, which only reads the strings, and only during the call.
  private func call(
    _ words: [String], _ environment: [String: String],
    _ function: (
      UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    ) -> Int32
  ) -> Int32 {
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    var pairs = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
    defer { unsafe (arguments + pairs).forEach { unsafe free($0) } }
    return unsafe function(&arguments, &pairs)
  }
}
