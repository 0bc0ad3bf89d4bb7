import CFuzz
import Glibc

// Fuzz TARGET [libFuzzer's options and folders]: gives a target whatever libFuzzer thinks of, until a property is broken.

let targets: [any FuzzTarget.Type] = [
  URLTarget.self, ReferenceTarget.self, ChallengeTarget.self, CommandLineTarget.self, HeaderLineTarget.self,
  ProfileTarget.self, TokenResponseTarget.self, BatchLineTarget.self,
]

guard CommandLine.arguments.count > 1, let chosen = targets.first(where: { $0.name == CommandLine.arguments[1] }) else {
  // For fuzz.sh, which knows no names.
  for target in targets { print(target.name) }
  exit(CommandLine.arguments.count > 1 ? 2 : 0)
}

/// The target that this process runs: libFuzzer's callback can hold nothing.
nonisolated(unsafe) let target = chosen

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  unsafe target.check(Array(UnsafeBufferPointer(start: bytes, count: size)))
  return 0
}

exit(unsafe cfuzz_run(CommandLine.argc, CommandLine.unsafeArgv))
