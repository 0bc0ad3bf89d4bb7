import AuthCore
import Glibc
import KernelKeys

// The kernel's keys alone, without the program: for tests of what other processes and other users see.
//   KernelKeysProbe hold SCOPE PROFILE   holds what comes on stdin
//   KernelKeysProbe held SCOPE PROFILE   prints what is held
//   KernelKeysProbe drop SCOPE PROFILE   forgets it
// A failure is printed as its case, and the status is 1.

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 3 else { fatalError("usage: KernelKeysProbe hold|held|drop SCOPE PROFILE") }
let keys = KernelKeys(scope: arguments[1])
do throws(RescueFailure) {
  switch arguments[0] {
  case "hold": try keys.hold(Secret(readLine() ?? ""), for: arguments[2])
  case "held": print(try keys.held(for: arguments[2])?.exposed ?? "(none)")
  case "drop": try keys.drop(for: arguments[2])
  default: fatalError("no such order: \(arguments[0])")
  }
} catch {
  print(error)
  exit(1)
}
