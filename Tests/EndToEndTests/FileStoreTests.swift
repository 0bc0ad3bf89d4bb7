import Foundation
import Glibc
import TestSupport
import Testing

@Suite("a sealed session file, end to end")
struct FileStoreTests {
  /// A place whose profile `work` stores its tokens in a file, without a keyring.
  private func place(
    _ more: String = "", lab arguments: [String] = [], over wire: Workplace.Wire = .http1
  ) throws -> Workplace {
    let place = try Workplace(.none, lab: arguments, over: wire)
    let key = place.session.directory.appending(path: "store.key").path
    #expect(try place.run("profile", "new-key", key).status == 0)
    try place.makeProfile("work", "store = \"file\"\nstore_key = \"\(key)\"\n" + more)
    return place
  }

  private func loggedIn(_ more: String = "", over wire: Workplace.Wire = .http1) throws -> Workplace {
    let place = try place(more, over: wire)
    try place.logIn()
    try place.lab.reset()
    return place
  }

  private func file(_ place: Workplace) -> URL {
    place.session.directory.appending(path: "s/authctl/sessions/work.session")
  }

  // MARK: - Without a bus

  @Test("the whole life of a session connects to no bus, with a credential as the key; no secret is on the disk")
  func untouched() throws {
    let place = try place("store_key = \"credential:store\"")
    let bus = try BusSocket(in: place.session.directory)
    let folder = place.session.directory.appending(path: "credentials")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let key = place.session.directory.appending(path: "store.key")
    try FileManager.default.copyItem(at: key, to: folder.appending(path: "store"))
    let environment: [String: String?] = [
      "XDG_RUNTIME_DIR": nil, "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(bus.path)",
      "CREDENTIALS_DIRECTORY": folder.path,
    ]
    var secrets: [String] = []
    func run(_ command: String..., input: ProgramInput = .nothing) throws {
      let outcome = try place.run(command, input: input, environment: environment)
      #expect(outcome.status == 0, "\(command): \(outcome.error)\(outcome.text)")
      if command == ["token"] { secrets.append(outcome.text.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }
    try run("login", "work", "--password-stdin", input: .text(Workplace.password))
    try run("token")
    try run("call", "me")
    try place.lab.expireAccessTokens()
    try run("call", "me")
    try run("token")
    try run("refresh", "work")
    try run("refresh", "--all")
    try run("exec", "--", "true")
    try run("status", "work", "--json", "--require", "1m")
    try run("doctor", "work")
    try run("inspect", "work")
    #expect(Set(secrets).count == 2 && secrets.allSatisfy { $0.count > 20 })
    let words = (secrets + [Workplace.password]).flatMap { ["-e", $0] }
    let folders = ["s", "c"].map { place.session.directory.appending(path: $0).path }
    let found = try place.session.run("sh", ["-c", "grep -rlF \"$@\" || true", "sh"] + words + folders)
    #expect(found.isEmpty, "\(found)")
    try run("logout", "work")
    try run("profile", "remove", "work")
    #expect(!bus.isTouched)
    #expect(try place.lab.count("token.refresh_token.ok") == 3)
  }

  @Test("processes that find the token expired at the same time cause one exchange", arguments: Workplace.Wire.allCases)
  func parallel(wire: Workplace.Wire) throws {
    let place = try loggedIn(over: wire)
    try place.lab.expireAccessTokens()
    let runs = try (0..<30).map { _ in try place.start(["call", "me"]) }
    for run in runs { #expect(try run.wait().status == 0) }
    #expect(try place.lab.count("token") == 1)
  }

  @Test("a command that is killed leaves the exchange to its background process, which stores the tokens")
  func killed() throws {
    let place = try loggedIn()
    try place.lab.expireAccessTokens()
    try place.lab.fail(#"{"endpoint":"token","kind":"delay","milliseconds":500,"after":true,"count":1}"#)
    let run = try place.start(["call", "me"])
    try Waiting.until("the exchange") { try place.lab.count("token.refresh_token.ok") == 1 }
    run.send(SIGKILL)
    _ = try run.wait()
    #expect(try place.run("call", "me").status == 0)
    #expect(try place.run("refresh").status == 0)
    #expect(try place.lab.count("token") == 2)
  }

  // MARK: - Faults of the disk

  @Test(
    "a fault before the exchange: status 4, nothing sent, and the session lives on",
    arguments: [
      (FileFaults.Call.fallocate, 1, ENOSPC), (.pwrite, 1, ENOSPC), (.ftruncate, 1, EIO), (.fsync, 1, EIO),
      (.rename, 1, EACCES), (.fsync, 2, EIO),
    ])
  func before(call: FileFaults.Call, number: Int, error: Int32) throws {
    let place = try loggedIn()
    let faults = try FileFaults()
    try place.lab.expireAccessTokens()
    let outcome = try place.run(
      ["refresh", "work"], environment: faults.environment(call, from: number, count: 100, error: error))
    outcome.expect(4)
    #expect(outcome.error.contains(error == ENOSPC ? "free some space" : "can't be written"), "\(outcome.error)")
    #expect(try place.lab.count("token") == 0)
    let folder = file(place).deletingLastPathComponent()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["work.session"])
    #expect(try place.run("call", "me").status == 0)
    #expect(try place.lab.count("token.refresh_token.ok") == 1)
  }

  @Test("a file system that reserves no room gets zeros instead")
  func zeros() throws {
    let place = try loggedIn()
    let faults = try FileFaults()
    let none = faults.environment(.fallocate, from: 1, count: 100, error: EOPNOTSUPP)
    #expect(try place.run(["refresh", "work"], environment: none).status == 0)
    #expect(try place.run("refresh", "work").status == 0)
    #expect(try place.lab.count("token") == 2)
  }

  @Test(
    "a fault after the exchange: the session lives on, without keys in the kernel, too",
    arguments: [(FileFaults.Call.pwrite, 2), (.ftruncate, 2), (.fsync, 3), (.complete, 1), (.fsync, 4)], [false, true])
  func after(fault: (call: FileFaults.Call, number: Int), hasKernelKeys: Bool) throws {
    let place = try loggedIn()
    let faults = try FileFaults()
    let filter = hasKernelKeys ? nil : try KernelKeyFilter()
    let outcome = try place.run(
      ["refresh", "work"], environment: faults.environment(fault.call, from: fault.number, error: EIO),
      through: filter.map { [$0.path] } ?? [])
    outcome.expect(0)
    let again = try place.run("refresh", "work", "-v")
    again.expect(0)
    #expect(try place.run("call", "me").status == 0)
    // The server would end the session if a refresh token were sent twice.
    #expect(try place.lab.count("token.refresh_token.ok") == 2, "\(outcome.error)\(again.error)")
  }

  @Test(
    "killed between the last write of an exchange and its renaming: the next run completes it",
    arguments: [(FileFaults.Call.fsync, 3), (.complete, 1), (.fsync, 4)])
  func killedAfter(fault: (call: FileFaults.Call, number: Int)) throws {
    let place = try loggedIn()
    let faults = try FileFaults()
    let killed = try place.run(
      ["refresh", "work"], environment: faults.environment(fault.call, from: fault.number, error: 0))
    #expect(killed.status != 0)
    #expect(try place.lab.count("token.refresh_token.ok") == 1)
    #expect(try place.run("call", "me").status == 0)
    let refresh = try place.run("refresh", "work")
    #expect(refresh.status == 0 && !refresh.error.contains("cut short"), "\(refresh.error)")
    #expect(try place.lab.count("token") == 2)
  }

  @Test("tokens that can't be renamed are kept in the reserved file, used, shown as rescued, and completed")
  func rescued() throws {
    let place = try loggedIn()
    let faults = try FileFaults()
    try place.lab.expireAccessTokens()
    let failing = faults.environment(.complete, from: 1, count: 100, error: EROFS)
    let call = try place.run(["call", "me"], environment: failing)
    call.expect(0, error: "the refreshed tokens are kept in the file \(file(place).path).next")
    let status = try place.run(["status", "work", "--json"], environment: failing)
    status.expect(0)
    #expect(status.text.contains(#""rescued":true"#) && status.text.contains(#""state":"valid""#), "\(status.text)")
    #expect(try place.run(["call", "me"], environment: failing).status == 0)
    #expect(try place.run(["refresh", "work"], environment: failing).status == 4)
    #expect(try place.lab.count("token") == 1)
    #expect(try place.run("status", "work", "--json").text.contains(#""rescued":false"#))
    #expect(try place.run("refresh", "work").status == 0)
    #expect(try place.lab.count("token.refresh_token.ok") == 2)
  }

  // MARK: - File systems

  /// Runs authctl in a mount namespace of its own, after a shell command has changed what is mounted there.
  private func run(_ place: Workplace, _ command: [String], after mount: String) throws -> Outcome {
    let script = "f=$1; shift; \(mount) || exit 99; exec \"$@\""
    return try place.run(
      command, input: .text(Workplace.password),
      through: ["/usr/bin/unshare", "-m", "/bin/sh", "-c", script, "sh", file(place).deletingLastPathComponent().path])
  }

  /// Whether this process may mount file systems.
  static let canMount = unsafe geteuid() == 0 && access("/usr/bin/unshare", X_OK) == 0

  @Test(
    "a full disk is found before anything is sent or asked: status 4; a valid token is used, and a logout works",
    .enabled(if: FileStoreTests.canMount, "needs root, for a small file system of its own"))
  func fullDisk() throws {
    let place = try loggedIn()
    let full = #"cp -a "$f" "$f.old" && mount -t tmpfs -o size=200k,mode=700 none "$f" && cp "$f.old"/* "$f""#
    #expect(try run(place, ["call", "me"], after: full).status == 0)
    for command in [["refresh", "work"], ["login", "work", "--password-stdin"], ["doctor", "work", "--offline"]] {
      let outcome = try run(place, command, after: "rm -rf \"$f.old\"; \(full)")
      #expect(outcome.status == 4, "\(command): \(outcome.error)")
      #expect((outcome.error + outcome.text).contains("No space left on device"), "\(outcome.error)\(outcome.text)")
    }
    try place.lab.expireAccessTokens()
    #expect(try run(place, ["call", "me"], after: "rm -rf \"$f.old\"; \(full)").status == 4)
    #expect(try place.lab.count("token") == 0)
    #expect(try run(place, ["logout", "work"], after: "rm -rf \"$f.old\"; \(full)").status == 0)
    #expect(try place.lab.count("revoke.ok") == 2)
  }

  @Test(
    "a store that can be read only: a valid token is used; what needs a write ends with 4, and nothing is sent",
    .enabled(if: FileStoreTests.canMount, "needs root, to mount a folder read-only"))
  func readOnly() throws {
    let place = try loggedIn()
    let readOnly = #"s=${f%/*} && mount --bind "$s" "$s" && mount -o remount,bind,ro "$s""#
    #expect(try run(place, ["call", "me"], after: readOnly).status == 0)
    #expect(try run(place, ["token"], after: readOnly).status == 0)
    #expect(try run(place, ["status", "work"], after: readOnly).status == 0)
    let commands = [
      ["refresh", "work"], ["token", "--min-validity", "20m"], ["logout", "work"], ["logout", "work", "--local-only"],
      ["login", "work", "--password-stdin"], ["doctor", "work", "--offline"],
    ]
    for command in commands {
      let outcome = try run(place, command, after: readOnly)
      #expect(outcome.status == 4, "\(command): \(outcome.error)")
      #expect((outcome.error + outcome.text).contains("Read-only file system"), "\(command): \(outcome.error)")
    }
    #expect(try place.lab.count("token") == 0 && place.lab.count("revoke") == 0)
    #expect(try place.run("refresh", "work").status == 0)
  }
}
