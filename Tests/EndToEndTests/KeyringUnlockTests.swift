import Foundation
import Glibc
import TestSupport
import Testing

@testable import AuthctlCLI

@Suite("keyring unlock, end to end")
struct KeyringUnlockTests {
  private let unlock = ["keyring", "unlock", "--password-stdin"]

  /// The files that a process has open, by descriptor; those that the system makes for it have no path.
  private func files(of process: pid_t) throws -> [String: String] {
    let folder = "/proc/\(process)/fd"
    var files: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      files[name] = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
    }
    return files
  }

  private func isRunning(_ process: pid_t) -> Bool { kill(process, 0) == 0 }

  /// The content of the keyring's folder, by name.
  private func keyrings(_ place: Workplace) throws -> [String: Data] {
    let folder = place.session.directory.appending(path: "d/keyrings")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try Dictionary(uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appending(path: $0))) })
  }

  @Test("no service: it is started, the keyring created, and it outlives the command without any of its descriptors")
  func firstUse() throws {
    let place = try Workplace(.none)
    try place.makeProfile()
    // A pipe at descriptor 9, which a daemon that inherits it would hold open.
    let pipe = place.session.directory.appending(path: "pipe").path
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    let script = "exec 9<>\"$0\"; exec \"$@\""
    let outcome = try place.run(unlock, input: .text("pw\n"), through: ["/bin/sh", "-c", script, pipe])
    outcome.expect(0)
    #expect(outcome.error == "authctl: keyring created and unlocked\n")
    #expect(outcome.output.isEmpty)

    let daemon = try #require(place.session.startedKeyring)
    let files = try files(of: daemon)
    for descriptor in ["0", "1", "2"] { #expect(files[descriptor] == "/dev/null") }
    #expect(!files.values.contains { $0.hasPrefix(place.session.directory.path) }, "\(files)")
    #expect(files.values.allSatisfy { $0 == "/dev/null" || $0.contains(":[") }, "\(files)")
    #expect(!files.values.contains { $0.hasPrefix("pipe:") }, "\(files)")

    try place.logIn()
    let call = try place.run("call", "me")
    call.expect(0)
    #expect(try place.pair().string("access_token") != nil)
    #expect(place.session.startedKeyring == daemon && isRunning(daemon))
  }

  @Test("what is stored is there again after the daemon was ended, started locked, and unlocked")
  func locked() throws {
    let place = try Workplace(.none)
    try place.makeProfile()
    #expect(try place.run(unlock, input: .text("pw")).status == 0)
    try place.logIn()
    let daemon = try #require(place.session.startedKeyring)
    kill(daemon, SIGTERM)
    try Waiting.until("the daemon's end") { !isRunning(daemon) }
    try place.session.startKeyring(unlocked: false)
    let refused = try place.run("call", "me")
    #expect(refused.status == 4)
    #expect(refused.error.contains("; without a desktop, run: authctl keyring unlock"), "\(refused.error)")
    let outcome = try place.run(unlock, input: .text("pw\n"))
    #expect(outcome.status == 0 && outcome.error == "authctl: keyring unlocked\n", "\(outcome.error)")
    #expect(try place.run("call", "me").status == 0)
  }

  @Test("the bus starts its own service, if it has one")
  func activated() throws {
    let command = "/usr/bin/gnome-keyring-daemon --start --foreground --components=secrets"
    let session = try PrivateSession(.none, services: ["org.freedesktop.secrets": command])
    let run = try ProgramRun(
      Workplace.binary, unlock, input: .text("pw"), environment: session.environment, folder: session.directory)
    let outcome = try run.wait()
    outcome.expect(0)
    let daemon = try #require(session.startedKeyring)
    let words = try String(contentsOfFile: "/proc/\(daemon)/cmdline", encoding: .utf8)
    #expect(words.contains("--start"), "\(words)")
    #expect(try !session.isLocked())
  }

  @Test("a wrong password: status 4, and the keyring's files are unchanged, byte for byte")
  func wrongPassword() throws {
    let place = try Workplace()
    try place.session.lockCollection()
    let before = try keyrings(place)
    let outcome = try place.run(["-vv"] + unlock, input: .text("wrong-secret"))
    #expect(outcome.status == 4)
    #expect(
      outcome.error.hasSuffix(
        """
        authctl: the keyring can't be unlocked: the password is wrong
          check the password; the keyring is unchanged and still locked

        """), "\(outcome.error)")
    #expect(!outcome.error.contains("wrong-secret"))
    #expect(try keyrings(place) == before)
    #expect(try place.session.isLocked())
  }

  @Test("already open: status 0, and standard input is not read")
  func unlocked() throws {
    let place = try Workplace()
    // A pipe that stays open and empty: reading it would take forever.
    let outcome = try place.run(unlock, input: .held)
    #expect(outcome.status == 0)
    #expect(outcome.error == "authctl: the keyring is already unlocked\n")
    #expect(try place.run("keyring", "unlock").status == 0)
  }

  @Test("the password is in no process's arguments and not in the daemon's environment")
  func secrecy() throws {
    let place = try Workplace(.none)
    let run = try place.start(unlock, input: .held)
    try run.write("very-secret\n")
    try Waiting.until("the program") { run.commandLine.contains("--password-stdin") }
    let words = run.commandLine
    run.closeInput()
    #expect(try run.wait().status == 0)
    #expect(!words.contains("very-secret"))
    let daemon = try #require(place.session.startedKeyring)
    for name in ["cmdline", "environ"] {
      let text = try KernelFile.bytes("/proc/\(daemon)/\(name)")
      #expect(!text.isEmpty && text.range(of: Data("very-secret".utf8)) == nil)
    }
  }

  @Test("no bus: status 4 at once, also at a terminal, which is not asked")
  func noBus() throws {
    let place = try Workplace(.none)
    place.session.killBus()
    let piped = try place.run(unlock, input: .text("pw"))
    #expect(piped.status == 4 && piped.seconds < 9)
    #expect(piped.error.hasPrefix("authctl: the keyring can't be read: no D-Bus session bus responds"))
    let terminal = try PseudoTerminal()
    let run = try place.start(["keyring", "unlock"], input: .terminal(terminal))
    let screen = try terminal.readToEnd()
    #expect(try run.wait().status == 4)
    #expect(!screen.contains("Password"), "\(screen)")
  }

  @Test("cron's environment, which names no bus, leads to the user's bus")
  func cron() throws {
    let place = try Workplace()
    try place.session.lockCollection()
    let outcome = try place.run(
      unlock, input: .text("pw"), environment: ["DBUS_SESSION_BUS_ADDRESS": nil])
    outcome.expect(0)
    #expect(try !place.session.isLocked())
  }

  @Test("no source, two options, a file of mode 0644: status 2, and no service is started")
  func usage() throws {
    let place = try Workplace(.none)
    let file = try place.secretFile("pw")
    #expect(try place.run("keyring", "unlock").status == 2)
    #expect(try place.run(unlock + ["--password-file", file], input: .text("pw")).status == 2)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    let open = try place.run("keyring", "unlock", "--password-file", file)
    #expect(open.status == 2)
    #expect(open.error.contains("other users may access it (mode 644)"), "\(open.error)")
    #expect(place.session.startedKeyring == nil)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    #expect(try place.run("keyring", "unlock", "--password-file", file).status == 0)
  }

  @Test("a prompt at the terminal, without echo")
  func prompt() throws {
    let place = try Workplace()
    try place.session.lockCollection()
    let terminal = try PseudoTerminal()
    let run = try place.start(["keyring", "unlock"], input: .terminal(terminal))
    _ = try terminal.read(until: "Password of the keyring: ")
    try Waiting.until("the echo is off") { !terminal.echoes }
    try terminal.type("pw\n")
    let screen = try terminal.readToEnd()
    #expect(try run.wait().status == 0)
    #expect(!screen.contains("pw") && screen.contains("authctl: keyring unlocked"), "\(screen)")
    #expect(try !place.session.isLocked())
  }

  @Test("a service that does not respond: status 4")
  func stopped() throws {
    let place = try Workplace()
    try place.session.lockCollection()
    let keyring = try #require(place.session.keyringProcess)
    kill(keyring, SIGSTOP)
    defer { kill(keyring, SIGCONT) }
    let outcome = try place.run(unlock, input: .text("pw"))
    #expect(outcome.status == 4)
    #expect(outcome.seconds < 60)
    #expect(outcome.error.contains("the keyring did not respond in time"), "\(outcome.error)")
  }

  @Test("the systemd service of the manual unlocks the keyring with its credential")
  func systemdService() throws {
    let place = try Workplace()
    try place.session.lockCollection()
    let manual = try #require(
      RunnableCommand.keyring.command.manual.sections.first { $0.title == "A MACHINE WITHOUT A DESKTOP" }
    ).text
    // The page has one example, indented by four spaces.
    let lines = manual.split(separator: "\n").filter { $0.hasPrefix("    ") }.map { $0.dropFirst(4) }
    let unit = ServiceUnit(text: lines.joined(separator: "\n") + "\n")
    #expect(lines.contains("[Service]") && lines.contains("[Install]"))
    #expect(unit.values("Type") == ["oneshot"] && unit.values("RemainAfterExit") == ["yes"])
    try unit.expectValid(isOfUser: true, in: place.session)
    let file = place.session.directory.appending(path: ".config/keyring-password")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("pw\n".utf8).write(to: file)
    let credentials = try unit.loadCredentials(in: place.session.directory) { path in
      try Data(contentsOf: URL(filePath: path.replacing("%h", with: place.session.directory.path)))
    }
    let commands = try unit.commands()
    #expect(commands.count == 1)
    for words in commands {
      let outcome = try place.run(words, environment: ["CREDENTIALS_DIRECTORY": credentials])
      #expect(outcome.status == 0 && outcome.error == "authctl: keyring unlocked\n", "\(outcome.error)")
    }
    #expect(try !place.session.isLocked())
  }
}
