import Foundation
import TestSupport
import Testing

@Suite("the lock of a profile, end to end")
struct LockTests {
  /// The folder of the locks, which a login has made.
  private func folder(_ place: Workplace) -> URL { place.session.directory.appending(path: "s/authctl/locks") }

  private func file(_ place: Workplace) -> URL { folder(place).appending(path: "work.lock") }

  /// A refresh that fails with these words before anything is sent, with the pair as it was.
  private func expectRefusal(
    _ place: Workplace, _ words: [String], environment: [String: String?] = [:], through wrapper: [String] = []
  ) throws {
    let before = try place.stored()
    let outcome = try place.run(["refresh", "work"], environment: environment, through: wrapper)
    outcome.expect(1)
    #expect(outcome.text.isEmpty)
    for word in words { #expect(outcome.error.contains(word), "\(outcome.error)") }
    #expect(try place.lab.lastRequests().isEmpty)
    #expect(try place.stored() == before)
  }

  @Test("a slow server of one profile delays neither the other's refresh nor its status")
  func slowServer() throws {
    let place = try Workplace.loggedIn()
    let slow = try slowProfile("slow", place)
    try slow.fail(#"{"endpoint":"token","kind":"delay","milliseconds":600000,"count":1}"#)
    let run = try place.start(["refresh", "slow"])
    try Waiting.until("the slow server is asked") { try slow.count("token") == 1 }
    #expect(try place.run("refresh", "work").status == 0)
    #expect(try place.run("status").status == 0)
    #expect(try place.run("call", "-p", "slow", "me").status == 0)
    #expect(try slow.count("token.refresh_token.ok") == 0, "the others were not there before the slow one")
    try slow.clearFaults()
    #expect(try run.wait().status == 0)
  }

  @Test("refresh of several: one that is slow delays no other, and they are reported in their order")
  func several() throws {
    let place = try Workplace.loggedIn()
    let slow = try slowProfile("a-slow", place)
    try place.makeProfile("zoo")
    try place.logIn("zoo")
    try place.lab.reset()
    try slow.fail(#"{"endpoint":"token","kind":"delay","milliseconds":600000}"#)
    let run = try place.start(["refresh", "--all"])
    try Waiting.until("the others are renewed") { try place.lab.count("token.refresh_token.ok") == 2 }
    #expect(run.errorSoFar.isEmpty, "the first is told first")
    try slow.clearFaults()
    let outcome = try run.wait()
    outcome.expect(0)
    let places = ["a-slow", "work", "zoo"].map { outcome.error.range(of: "\($0): refreshed")?.lowerBound }
    #expect(!places.contains(nil) && places.compactMap { $0 } == places.compactMap { $0 }.sorted(), "\(outcome.error)")
  }

  /// A profile with a server of its own.
  private func slowProfile(_ name: String, _ place: Workplace) throws -> Authlab {
    let server = try Authlab(["--access-lifetime", "600"])
    try place.makeProfile(name, "issuer = \"\(server.origin)\"\napi = [\"\(server.origin)/api\"]")
    try place.logIn(name)
    try server.reset()
    return server
  }

  @Test("a file that a killed process has left blocks no other, whatever its content")
  func leftBehind() throws {
    let place = try Workplace.loggedIn()
    try Data("4711\n{\"not\": [\"ours".utf8).write(to: file(place))
    // It would fail if it waited for the lock in vain.
    let outcome = try place.run("refresh", "work")
    outcome.expect(0)
  }

  @Test("an entry in the place of the file is named, with the command that removes it", arguments: ["folder", "link"])
  func inTheWay(what: String) throws {
    let place = try Workplace.loggedIn()
    let file = file(place)
    try FileManager.default.removeItem(at: file)
    if what == "folder" {
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
      try expectRefusal(place, ["\(file.path) is a folder", "rmdir \(file.path)"])
    } else {
      try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "elsewhere")
      try expectRefusal(place, ["\(file.path) is a symbolic link", "rm \(file.path)"])
    }
    try FileManager.default.removeItem(at: file)
    #expect(try place.run("refresh", "work").status == 0)
  }

  @Test(
    "a file of another user (root, after a sudo), or an unreadable one, is named with the remedy",
    .enabled(if: getuid() == 0, "only root can give a file away"), arguments: ["locks/work.lock", "locks", "."])
  func notOurs(part: String) throws {
    let place = try Workplace.loggedIn()
    // Root may do everything, unless this is taken from it.
    let plain = [
      "/usr/bin/setpriv", "--bounding-set=-dac_override,-dac_read_search",
      "--inh-caps=-dac_override,-dac_read_search",
    ]
    let path = folder(place).deletingLastPathComponent().appending(path: part).standardizedFileURL.path
    #expect(unsafe chown(path, 65534, 65534) == 0)
    try expectRefusal(place, ["\(path) belongs to user 65534", "sudo chown -R 0 \(path)"], through: plain)
    #expect(unsafe chown(path, 0, 0) == 0)
    #expect(unsafe chmod(path, 0) == 0)
    try expectRefusal(place, ["\(path): Permission denied", "chmod u+rwX \(path)"], through: plain)
    #expect(unsafe chmod(path, 0o700) == 0)
    #expect(try place.run(["refresh", "work"], through: plain).status == 0)
  }

  @Test("XDG_RUNTIME_DIR is not needed: absent, unset, or not to be written to", arguments: [nil, "/nowhere", "/proc"])
  func runtimeFolder(path: String?) throws {
    let place = try Workplace.loggedIn()
    let outcome = try place.run("refresh", "work", environment: ["XDG_RUNTIME_DIR": path])
    outcome.expect(0)
  }

  /// A command that becomes another one in a mount namespace of its own, after these steps in it.
  private func apart(_ steps: String) -> [String] {
    ["/usr/bin/unshare", "-m", "sh", "-c", "mount --make-rprivate / && \(steps) && exec \"$@\"", "sh"]
  }

  @Test(
    "a disk that is full where the lock should be made: nothing is sent",
    .enabled(if: getuid() == 0, "only root can mount a disk"))
  func fullDisk() throws {
    let place = try Workplace.loggedIn()
    let mount = "mount -t tmpfs -o size=16k,nr_inodes=2 none \"$XDG_STATE_HOME\""
    try expectRefusal(
      place, ["No space left on device", "free some space, or set XDG_STATE_HOME"],
      through: apart(mount + " && { cat /dev/zero > \"$XDG_STATE_HOME/full\" 2>/dev/null || true; }"))
  }

  @Test(
    "a disk that has become full does not stop a refresh",
    .enabled(if: getuid() == 0, "only root can mount a disk"))
  func fullSince() throws {
    let place = try Workplace.loggedIn()
    let steps = """
      mount -t tmpfs -o size=16k none "$XDG_STATE_HOME" && mkdir -p "$XDG_STATE_HOME/authctl/locks" && \
      : > "$XDG_STATE_HOME/authctl/locks/work.lock" && { cat /dev/zero > "$XDG_STATE_HOME/full" 2>/dev/null || true; }
      """
    let outcome = try place.run(["refresh", "work"], through: apart(steps))
    outcome.expect(0)
  }

  @Test(
    "a disk that is full where the keyring is: status 4 and nothing is sent; all is well when there is room again",
    .enabled(if: getuid() == 0, "only root can mount a disk"))
  func fullKeyring() throws {
    let place = try Workplace(.none)
    try place.session.startKeyring(through: apart("mount -t tmpfs -o size=64k none \"$XDG_DATA_HOME\""))
    try place.makeProfile()
    try place.logIn()
    try place.lab.reset()
    let keyring = try #require(place.session.keyringProcess)
    let full = "/proc/\(keyring)/root\(place.session.directory.path)/d/full"
    _ = try? place.session.run("sh", ["-c", "cat /dev/zero > '\(full)'"])
    #expect(FileManager.default.fileExists(atPath: full))
    let outcome = try place.run("refresh", "work")
    outcome.expect(4)
    #expect(try place.lab.lastRequests().isEmpty)
    try FileManager.default.removeItem(atPath: full)
    #expect(try place.run("refresh", "work").status == 0)
  }

  @Test(
    "a file system that refuses flock is reported with the remedy, and nothing is sent",
    arguments: ["ENOLCK", "EOPNOTSUPP"])
  func noLocks(error: String) throws {
    let place = try Workplace.loggedIn()
    let library = try CProgram(
      """
      #include <errno.h>
      int flock(int file, int operation) {
        errno = \(error);
        return -1;
      }
      """, as: .library)
    try expectRefusal(
      place, ["the file system does not lock files", "set XDG_STATE_HOME to a folder on a local disk"],
      environment: ["LD_PRELOAD": library.path])
    #expect(try place.run(["call", "me"], environment: ["LD_PRELOAD": library.path]).status == 0)
  }
}
