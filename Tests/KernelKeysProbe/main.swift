import AuthCore
import Glibc
import KernelKeys

// The kernel's keys alone, without the program: for tests of what other processes and other users see.
//   KernelKeysProbe hold SCOPE PROFILE   holds what comes on stdin
//   KernelKeysProbe held SCOPE PROFILE   prints what is held
//   KernelKeysProbe drop SCOPE PROFILE   forgets it
//   KernelKeysProbe keep NAME SECONDS    caches what comes on stdin
//   KernelKeysProbe kept NAME -          prints what is cached
//   KernelKeysProbe discard NAME -       forgets it
// A failure is printed as its case, and the status is 1.

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 3 else { fatalError("usage: KernelKeysProbe ORDER SCOPE|NAME PROFILE|SECONDS") }
let keys = KernelKeys(scope: arguments[1])
let cache = KernelCache()
do throws(RescueFailure) {
  switch arguments[0] {
  case "hold": try keys.hold(Secret(readLine() ?? ""), for: arguments[2])
  case "held": print(try keys.held(for: arguments[2])?.exposed ?? "(none)")
  case "drop": try keys.drop(for: arguments[2])
  case "keep": try cache.keep(Secret(readLine() ?? ""), as: arguments[1], for: Int(arguments[2]) ?? 0)
  case "kept": print(try cache.kept(as: arguments[1])?.exposed ?? "(none)")
  case "discard": try cache.discard(arguments[1])
  default: fatalError("no such order: \(arguments[0])")
  }
} catch {
  print(error)
  exit(1)
}
