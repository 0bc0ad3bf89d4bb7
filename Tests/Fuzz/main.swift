import CFuzz
import Glibc

// Fuzz TARGET [libFuzzer's options and folders]: gives a target whatever libFuzzer thinks of, until a property is
// broken. Fuzz times: prints how long each reader takes for 32 KB and for 64 KB.

let targets: [any FuzzTarget.Type] = [
  URLTarget.self, ReferenceTarget.self, ChallengeTarget.self, CommandLineTarget.self, HeaderLineTarget.self,
  ProfileTarget.self, TokenResponseTarget.self, BatchLineTarget.self,
  JSONTarget.self, SessionFileTarget.self, GatewayTarget.self,
]

if CommandLine.arguments.dropFirst().first == "times" {
  ReaderTimes.print()
  exit(0)
}

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
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: size))
  let chosen = unsafe target
  guard CPUTime.of({ chosen.check(input) }) > CPUTime.limit else { return 0 }
  // The least of three: the first time includes what is set up once.
  let least = (0..<3).map { _ in CPUTime.of { chosen.check(input) } }.min() ?? .zero
  guard least > CPUTime.limit else { return 0 }
  fatalError("\(chosen.name): \(size) bytes took \(least)")
}

exit(unsafe cfuzz_run(CommandLine.argc, CommandLine.unsafeArgv))
