import AuthCore
import CAuthSecret
import FoundationEssentials

/// Starts the Secret Service of a bus on which none runs.
struct ServiceStart {
  private let connection: ServiceConnection
  private let address: String
  private let environment: [String: String]

  /// - Parameters:
  ///   - address: the address of the connection's bus.
  ///   - environment: the environment for a daemon that the bus does not start.
  init(_ connection: ServiceConnection, at address: String, environment: [String: String]) {
    self.connection = connection
    self.address = address
    self.environment = environment
  }

  /// Lets the bus start its service; if it has none, or the service does not appear, starts gnome-keyring-daemon.
  ///
  /// What the bus starts is a child of the bus, as at any other first use. A daemon that is started here is in a
  /// session of its own, and inherits no file.
  ///
  /// - Parameters:
  ///   - activation: the time for the bus.
  ///   - appearance: the time for gnome-keyring-daemon.
  /// - Throws: ``ServiceFailure`` if no service appears on the bus.
  func run(activation: Duration, appearance: Duration) throws(ServiceFailure) {
    let appeared = connection.watch(
      "NameOwnerChanged", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus", from: "org.freedesktop.DBus",
      about: BusCall.serviceName)
    let start = connection.begin(.bus("StartServiceByName", .string(BusCall.serviceName), .number(0)))
    var reason: String?
    if connection.wait(for: activation, until: { start.isComplete || appeared.arguments != nil }) {
      if appeared.arguments != nil { return }
      do throws(ServiceFailure) {
        _ = try connection.finish(start)
        return
      } catch {
        guard error.fault == .noService else { throw error }
        reason = error.detail
      }
    }
    try launch(unless: reason)
    guard connection.wait(for: appearance, until: { appeared.arguments != nil }) else {
      throw ServiceFailure(
        .noService, reason: "gnome-keyring-daemon was started, but did not appear on the session bus", detail: reason,
        hint: "start it by hand to see its messages: gnome-keyring-daemon --foreground --components=secrets")
    }
  }

  private func launch(unless reason: String?) throws(ServiceFailure) {
    var variables = environment.filter { !$0.key.starts(withBytes: "AUTHCTL_") }
    variables["DBUS_SESSION_BUS_ADDRESS"] = address
    var words = ["gnome-keyring-daemon", "--foreground", "--components=secrets"]  // words: keep
    if let folder = otherControlFolder { words.append("--control-directory=\(folder)") }
    var arguments = unsafe words.map { unsafe library.g_strdup($0) } + [nil]
    var pairs = unsafe variables.map { unsafe library.g_strdup("\($0)=\($1)") } + [nil]
    defer { unsafe (arguments + pairs).forEach { unsafe library.g_free($0) } }
    var error: OpaquePointer?
    guard unsafe csecret_start_daemon(&arguments, &pairs, &error) == 0, let error = unsafe error else { return }
    defer { unsafe library.g_error_free(error) }
    let members = unsafe UnsafePointer<csecret_error>(error).pointee
    let isMissing = unsafe Int(members.code) == CSECRET_SPAWN_NO_FILE
    throw ServiceFailure(
      .noService, reason: "no keyring is running, and gnome-keyring-daemon can't be started",
      detail: isMissing ? "it is not installed" : unsafe String(cString: members.message),
      hint: isMissing ? "install gnome-keyring, with its package of the same name" : "check its file and its mode")
  }

  /// A control folder of its own, if a daemon of another bus uses the standard one: a second daemon would replace its
  /// socket. nil for the standard one.
  private var otherControlFolder: String? {
    guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.starts(withBytes: "/"),
      ControlSocket(path: runtime + "/keyring/control", patience: connection.timeLeft).isServed
    else { return nil }
    return "\(runtime)/keyring-\(ProcessInfo.processInfo.processIdentifier)"
  }
}
