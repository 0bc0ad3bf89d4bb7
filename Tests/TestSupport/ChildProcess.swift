package import Foundation
import Glibc

/// A process that a test has started.
///
/// Not Foundation's: that one takes a process for running as long as any child of it is, its pipes are inherited by
/// whatever another test starts at the same moment, and with a thousand open files it reads beyond a list of them.
package final class ChildProcess {
  /// Its process id.
  package let pid: pid_t
  /// What it writes.
  package let output: FileHandle
  /// What it reads.
  package let input: FileHandle
  private var status: Int32?

  /// Starts a program, with no signal blocked and with no file of ours but its standard ones.
  package init(_ program: String, _ arguments: [String], environment: [String: String]) throws {
    let (childInput, input) = try Self.pipe()
    let (output, childOutput) = try Self.pipe()
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, childInput.fileDescriptor, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, childOutput.fileDescriptor, 1)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    let path = program.hasPrefix("/") ? program : "/usr/bin/" + program
    var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    var pairs = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
    defer { unsafe (words + pairs).forEach { unsafe free($0) } }
    var child: pid_t = 0
    guard unsafe posix_spawn(&child, path, &actions, &attributes, &words, &pairs) == 0 else {
      throw SessionError("\(path) can't be started")
    }
    (pid, self.input, self.output) = (child, input, output)
  }

  deinit {
    end()
  }

  /// Ends it, also when it is stopped.
  package func end() {
    guard status == nil else { return }
    kill(pid, SIGKILL)
    _ = wait()
  }

  /// Waits for its end; the exit code, or minus the signal.
  package func wait() -> Int32 {
    if let status { return status }
    var raw: Int32 = 0
    while unsafe waitpid(pid, &raw, 0) < 0, errno == EINTR {}
    let code = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : -(raw & 0x7F)
    status = code
    return code
  }

  private static func pipe() throws -> (reading: FileHandle, writing: FileHandle) {
    var ends: [Int32] = [0, 0]
    // Sockets, since these can be made close-on-exec in one step.
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SessionError("no pipe") }
    return (
      FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
      FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    )
  }
}
