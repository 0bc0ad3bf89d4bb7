public import Foundation
import Glibc

/// A D-Bus session of its own with a real gnome-keyring-daemon, which touches neither the user's bus nor keyring.
///
/// All its files are in a fresh directory with a short name (the path of a unix socket has 107 bytes). Its processes
/// end with it, when the last reference goes, also when a test has thrown.
public final class PrivateSession: @unchecked Sendable {
  /// What the keyring is like when the session has started.
  public enum Keyring: Sendable {
    /// There is no keyring on the bus.
    case none
    /// It runs, and was never given a password: there is no default collection.
    case empty
    /// It runs, and its default collection is unlocked.
    case unlocked
  }

  /// The default collection of gnome-keyring-daemon.
  public static let collection = "/org/freedesktop/secrets/collection/login"
  private static let password = "pw"

  /// A running bus: the shell that ends it when we are gone, and its own process id.
  private struct Bus {
    let shell: ChildProcess
    let pid: pid_t
  }

  /// The directory in which everything is, `HOME` of all that runs in the session.
  public let directory: URL
  /// A command that becomes the rest of its command line, as the user of the session; empty for the tests' own user.
  public let asUser: [String]
  private let user: uid_t?
  private let keyringMayBeStarted: Bool
  private var bus: Bus?
  private var daemon: ChildProcess?

  /// Starts a session.
  ///
  /// - Parameters:
  ///   - keyring: what is on the bus.
  ///   - services: command lines that the bus starts on demand, by bus name.
  ///   - user: who has the session; nil for the tests' own user. Only root can have one for another user.
  public init(_ keyring: Keyring = .unlocked, services: [String: String] = [:], user: uid_t? = nil) throws {
    self.user = user
    asUser = user.map { ["/usr/bin/setpriv", "--reuid=\($0)", "--regid=\($0)", "--clear-groups"] } ?? []
    var template = Array("/tmp/ak-XXXXXX".utf8CString)
    guard let path = unsafe mkdtemp(&template) else { throw SessionError("no temporary directory") }
    directory = unsafe URL(fileURLWithPath: String(cString: path), isDirectory: true)
    keyringMayBeStarted = services.keys.contains("org.freedesktop.secrets")
    try makeFiles(services)
    try giveFiles()
    bus = try startBus()
    if keyring != .none { try startKeyring(unlocked: keyring == .unlocked) }
  }

  deinit {
    if let pid = bus?.pid, keyringMayBeStarted || daemon == nil {
      // The bus or a test has started it, if anyone; a stopped bus would not say.
      kill(pid, SIGCONT)
      if let started = try? busPeer("org.freedesktop.secrets"), started != daemon?.pid { kill(started, SIGKILL) }
    }
    killKeyring()
    killBus()
    try? FileManager.default.removeItem(at: directory)
  }

  /// The whole environment for a process in the session.
  public var environment: [String: String] {
    var environment = cronEnvironment
    environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(busSocket)"
    return environment
  }

  /// The environment without the address of the bus, which still is where a user's bus is: at `$XDG_RUNTIME_DIR/bus`.
  public var cronEnvironment: [String: String] {
    [
      "HOME": directory.path, "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8",
      "XDG_RUNTIME_DIR": sub("r"), "XDG_DATA_HOME": sub("d"), "XDG_CONFIG_HOME": sub("c"),
      "XDG_STATE_HOME": sub("s"), "XDG_CACHE_HOME": sub("k"),
    ]
  }

  /// The path of the bus's socket.
  public var busSocket: String { sub("r/bus") }

  /// The process id of the keyring; nil where none was started.
  public var keyringProcess: pid_t? { daemon?.pid }

  /// The process id of the keyring on the bus, whichever process started it; nil if there is none.
  public var startedKeyring: pid_t? { try? busPeer("org.freedesktop.secrets") }

  /// The process id of the bus; nil when it was killed.
  public var busProcess: pid_t? { bus?.pid }

  // MARK: - Acting on it

  /// Starts the keyring on the data that is there, and waits until it is on the bus; `wrapper` is a command that
  /// becomes the rest of its command line.
  public func startKeyring(unlocked: Bool = true, through wrapper: [String] = []) throws {
    do {
      try startDaemon(unlocked, wrapper)
    } catch is SessionError {
      // It happens less than once in a thousand starts that the daemon ends, or opens no control socket.
      killKeyring()
      try startDaemon(unlocked, wrapper)
    }
  }

  private func startDaemon(_ unlocked: Bool, _ wrapper: [String]) throws {
    let unlock = unlocked ? ["--unlock"] : []
    let words = wrapper + ["gnome-keyring-daemon", "--foreground"] + unlock + ["--components=secrets"]
    let started = try start(words[0], Array(words.dropFirst()))
    daemon = started
    if unlocked { try started.input.write(contentsOf: Data(Self.password.utf8)) }
    try started.input.close()
    try waitUntil("the keyring is on the bus") { try busPeer("org.freedesktop.secrets") != nil }
    if unlocked { try waitUntilUnlocked() }
  }

  private func waitUntilUnlocked() throws {
    do {
      try waitUntil("the collection is there", seconds: 20) { try !isLocked() }
    } catch is SessionError {
      // Once in a thousand starts the daemon has made nothing of the password that it was given on its input; it is
      // sent again, by its control socket.
      try unlockCollection()
    }
  }

  /// Locks the default collection.
  public func lockCollection() throws {
    try secrets("Service.Lock", ["array:objpath:\(Self.collection)"])
    guard try isLocked() else { throw SessionError("the collection did not lock") }
  }

  /// Unlocks the default collection, without a prompt.
  public func unlockCollection() throws {
    try KeyringControl(socket: sub("r/keyring/control")).unlock(Self.password)
    guard try !isLocked() else { throw SessionError("the collection did not unlock") }
  }

  /// Whether the default collection is locked; throws where there is none.
  public func isLocked() throws -> Bool {
    let response = try call(
      "org.freedesktop.secrets", Self.collection, "org.freedesktop.DBus.Properties.Get",
      ["string:org.freedesktop.Secret.Collection", "string:Locked"])
    return response.contains("boolean true")
  }

  /// Ends the keyring, by its process id.
  public func killKeyring() {
    daemon?.end()
    daemon = nil
  }

  /// Ends the bus, by its process id.
  public func killBus() {
    guard let running = bus else { return }
    bus = nil
    // Before the shell: it is a child of the shell, so that its process id can't have become another's.
    kill(running.pid, SIGKILL)
    running.shell.end()
  }

  /// Starts the bus again, after it was killed; clients of the old one are not on this one.
  public func restartBus() throws {
    try? FileManager.default.removeItem(atPath: busSocket)
    bus = try startBus()
  }

  /// Runs a program in the session and gives back what it writes, without the final newline.
  @discardableResult
  public func run(_ program: String, _ arguments: [String], input: String? = nil) throws -> String {
    let process = try start(program, arguments)
    try process.input.write(contentsOf: Data((input ?? "").utf8))
    try process.input.close()
    let text = String(decoding: process.output.readDataToEndOfFile(), as: UTF8.self)
    let status = process.wait()
    guard status == 0 else { throw SessionError("\(program) \(arguments.first ?? "") ended with \(status)") }
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  /// Calls a method of the Secret Service with `dbus-send`, in whose syntax the arguments are.
  @discardableResult
  public func secrets(_ method: String, _ arguments: [String], at path: String = "/org/freedesktop/secrets") throws
    -> String
  {
    try call("org.freedesktop.secrets", path, "org.freedesktop.Secret." + method, arguments)
  }
}

// MARK: - The user

extension PrivateSession {
  /// Gives all files in the directory to the user of the session.
  public func giveFiles() throws {
    guard let user else { return }
    for path in try [directory.path] + FileManager.default.subpathsOfDirectory(atPath: directory.path).map(sub) {
      guard unsafe lchown(path, user, user) == 0 else { throw SessionError("\(path) can't be given to \(user)") }
    }
  }
}

// MARK: - Starting and ending

extension PrivateSession {
  private func sub(_ name: String) -> String { directory.appendingPathComponent(name).path }

  private func makeFiles(_ services: [String: String]) throws {
    for name in ["r", "d", "c", "s", "k", "services"] {
      try FileManager.default.createDirectory(
        atPath: sub(name), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    // No directory of the system's services: only what a test has asked for may start by itself.
    let configuration = """
      <busconfig>
        <type>session</type>
        <listen>unix:path=\(busSocket)</listen>
        <auth>EXTERNAL</auth>
        <servicedir>\(sub("services"))</servicedir>
        <policy context="default">
          <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
        </policy>
      </busconfig>
      """
    try Data(configuration.utf8).write(to: directory.appendingPathComponent("bus.conf"))
    for (name, command) in services {
      let service = "[D-BUS Service]\nName=\(name)\nExec=\(command)\n"
      try Data(service.utf8).write(to: directory.appendingPathComponent("services/\(name).service"))
    }
  }

  private func startBus() throws -> Bus {
    // The shell ends the bus when its input is closed, which the system does even when the tests crash; the keyring
    // ends when it loses its bus.
    let command = ["dbus-daemon", "--config-file=\(sub("bus.conf"))", "--nofork", "--nopidfile", "--print-pid=1"]
    let script = #""$@" </dev/null & child=$!; read -r _; kill -9 $child; wait"#
    let shell = try start("/bin/sh", ["-c", script, "sh"] + command)
    // It writes its process id when it listens.
    let line = String(decoding: shell.output.availableData, as: UTF8.self)
    guard let pid = pid_t(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw SessionError("dbus-daemon did not start")
    }
    return Bus(shell: shell, pid: pid)
  }

  private func start(_ program: String, _ arguments: [String]) throws -> ChildProcess {
    let path = program.hasPrefix("/") ? program : "/usr/bin/" + program
    let words = asUser + [path] + arguments
    return try ChildProcess(words[0], Array(words.dropFirst()), environment: environment)
  }

  private func call(_ destination: String, _ path: String, _ method: String, _ arguments: [String]) throws -> String {
    try run(
      "dbus-send",
      ["--session", "--print-reply", "--reply-timeout=60000", "--dest=\(destination)", path, method]
        + arguments)
  }

  private func busPeer(_ name: String) throws -> pid_t? {
    guard bus != nil else { return nil }
    let response = try? call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.GetConnectionUnixProcessID",
      ["string:\(name)"])
    return response?.split(separator: " ").last.flatMap { pid_t($0) }
  }

  private func waitUntil(_ what: String, seconds: Double = 120, _ condition: () throws -> Bool) throws {
    let end = Date().addingTimeInterval(seconds)
    while Date() < end {
      if (try? condition()) == true { return }
      usleep(10_000)
    }
    throw SessionError("gave up waiting until \(what)")
  }
}
