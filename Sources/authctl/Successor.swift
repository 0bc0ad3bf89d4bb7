import AuthctlCLI
import CProcess
import Glibc
import SystemPackage

/// The program that gets this process.
struct Successor: ProcessSuccession {
  /// The environment that this program was started with.
  let environment: [String: String]

  func become(_ words: [String], adding variables: [String: String]) -> Errno {
    let environment = environment.merging(variables) { _, new in new }
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    var pairs = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
    // C only reads the texts, and comes back only where nothing has come of it.
    let failure = unsafe cprocess_become(&arguments, &pairs)
    unsafe (arguments + pairs).forEach { unsafe free($0) }
    return Errno(rawValue: failure)
  }
}
