import AuthCore
import AuthKeyring
import FoundationEssentials

// The keyring alone, without the program: for valgrind and for measurements.
//   KeyringProbe load PROFILE       prints the tokens
//   KeyringProbe save PROFILE       stores what comes on stdin
//   KeyringProbe clear PROFILE      removes the tokens
//   KeyringProbe cycle N BYTES      saves, loads and clears a secret of so many bytes, N times
//   KeyringProbe unlock             unlocks the keyring with the password on stdin, or creates it

let arguments = CommandLine.arguments.dropFirst()
let store = SecretServiceStore(
  application: "authctl", environment: ProcessInfo.processInfo.environment, deadline: .seconds(60), prompting: false)

func item(_ profile: String) -> SecretItem { SecretItem(profile: profile, kind: .tokens) }

func cycle(_ times: Int, bytes: Int) async throws {
  let secret = Secret(String(repeating: "x", count: bytes))
  for _ in 0..<times {
    try await store.save(secret, as: item("cycle"))
    guard try await store.load(item("cycle")) == secret else { fatalError("the secret has changed") }
    try await store.clear(item("cycle"))
    guard try await store.load(item("cycle")) == nil else { fatalError("the secret is still there") }
  }
}

do {
  switch (arguments.first, arguments.dropFirst().first, arguments.dropFirst(2).first) {
  case ("load", let profile?, nil): print(try await store.load(item(profile))?.exposed ?? "(none)")
  case ("save", let profile?, nil): try await store.save(Secret(readLine() ?? ""), as: item(profile))
  case ("clear", let profile?, nil): try await store.clear(item(profile))
  case ("cycle", let times?, let bytes?): try await cycle(Int(times) ?? 0, bytes: Int(bytes) ?? 0)
  case ("unlock", nil, nil):
    let keyring = SecretServiceKeyring(environment: ProcessInfo.processInfo.environment)
    _ = try await keyring.unlock(with: Secret(readLine() ?? ""))
    guard try await keyring.isUnlocked() else { fatalError("the keyring is not unlocked") }
  default: fatalError("usage: KeyringProbe load|save|clear PROFILE, cycle N BYTES, or unlock")
  }
} catch {
  fatalError("\(error)")
}
