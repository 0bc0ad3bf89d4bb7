import Glibc
import TestSupport

/// The files of a program that is about to be started.
@safe
final class FileActions {
  /// `POSIX_SPAWN_SETSID`, which Swift does not see.
  private static let setsid: Int32 = 0x80
  private var actions = unsafe posix_spawn_file_actions_t()

  /// Starts with none.
  init() {
    unsafe posix_spawn_file_actions_init(&actions)
  }

  deinit {
    unsafe posix_spawn_file_actions_destroy(&actions)
  }

  /// Opens a file as this descriptor.
  func open(_ descriptor: Int32, _ path: String, _ flags: Int32) {
    unsafe posix_spawn_file_actions_addopen(&actions, descriptor, path, flags, 0o600)
  }

  /// Makes one descriptor another one too.
  func duplicate(_ one: Int32, _ other: Int32) {
    unsafe posix_spawn_file_actions_adddup2(&actions, one, other)
  }

  /// Starts the program with these files, with no signal blocked or ignored.
  ///
  /// - Parameter inSession: whether it leads a session, so that a terminal that it opens is its controlling one.
  /// - Throws: `SessionError` where it can't be started.
  func spawn(_ program: String, _ arguments: [String], environment: [String: String], inSession: Bool) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (inSession ? FileActions.setsid : 0)
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    var pairs = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
    defer { unsafe (words + pairs).forEach { unsafe free($0) } }
    var child: pid_t = 0
    guard unsafe posix_spawn(&child, program, &actions, &attributes, &words, &pairs) == 0 else {
      throw SessionError("\(program) can't be started")
    }
    return child
  }
}
