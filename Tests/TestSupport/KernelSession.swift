/// A program that runs another one in a kernel session of its own, as cron and a second login have it: with another
/// session keyring, and in another session of processes.
public struct KernelSession: Sendable {
  private let program: CProgram

  /// The program; the rest of its command line is run.
  public var path: String { program.path }

  /// Compiles it.
  /// - Throws: `SessionError`.
  public init() throws {
    program = try CProgram(
      """
      #include <linux/keyctl.h>
      #include <stddef.h>
      #include <sys/syscall.h>
      #include <unistd.h>

      int main(int count, char **words) {
        if (count < 2 || syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) == -1) return 126;
        setsid();
        execv(words[1], words + 1);
        return 127;
      }
      """, as: .program)
  }
}
