import AuthCore
import CAuthSecret

/// A failed operation of the Secret Service.
struct ServiceFailure: Error, Equatable {
  /// The resulting state of the store.
  let fault: StorageFault
  /// The error message of the service or the system; nil if the state is clear without it.
  let detail: String?
  /// Whether the called object does not exist (any more).
  let isMissingObject: Bool
  /// The reason and the remedy of this failure; nil if they are those of every such fault.
  let cause: Cause?

  /// A reason that is more specific than a fault, with its remedy.
  struct Cause: Equatable {
    /// The reason as a phrase.
    let reason: String
    /// How to fix it.
    let hint: String
  }

  /// Creates a failure.
  init(_ fault: StorageFault, detail: String? = nil, isMissingObject: Bool = false) {
    self.fault = fault
    self.detail = detail
    self.isMissingObject = isMissingObject
    cause = nil
  }

  /// Creates a failure with a reason and a remedy of its own.
  init(_ fault: StorageFault, reason: String, detail: String? = nil, hint: String) {
    self.fault = fault
    self.detail = detail
    isMissingObject = false
    cause = Cause(reason: reason, hint: hint)
  }

  /// Creates a failure from an error response of the bus or of the service.
  ///
  /// The names are those of the D-Bus specification ("Message Bus Errors") and of the Secret Service API ("Errors").
  init(errorName: String, message: String) {
    let service = "org.freedesktop.Secret.Error."
    let bus = "org.freedesktop.DBus.Error."
    switch errorName {
    case service + "IsLocked":
      self.init(.locked)
    case service + "NoSuchObject", bus + "UnknownObject", bus + "UnknownMethod", bus + "UnknownInterface":
      // gnome-keyring responds with UnknownMethod for objects that do not exist.
      self.init(.refused, detail: message, isMissingObject: true)
    case bus + "ServiceUnknown", bus + "NameHasNoOwner":
      self.init(.noService)
    case bus + "NoReply":
      self.init(.noService, detail: "it ended in the middle of the operation")
    case bus + "Disconnected":
      self.init(.noBus, detail: message)
    case bus + "Timeout", bus + "TimedOut":
      self.init(.timedOut)
    case _ where errorName.starts(withBytes: bus + "Spawn."):
      self.init(.noService, detail: message)
    case "org.gnome.keyring.Error.Denied":
      self = .wrongPassword
    default:
      self.init(.refused, detail: message)
    }
  }
}

extension ServiceFailure {
  /// Creates a failure from an error of GLib, and frees it: https://docs.gtk.org/glib/struct.Error.html
  init(taking error: OpaquePointer?) {
    guard let error = unsafe error else {
      self.init(.refused)
      return
    }
    defer { unsafe library.g_error_free(error) }
    let name = unsafe library.g_dbus_error_get_remote_error(error) ?? library.g_dbus_error_encode_gerror(error)
    defer { unsafe library.g_free(name) }
    _ = unsafe library.g_dbus_error_strip_remote_error(error)
    let members = unsafe UnsafePointer<csecret_error>(error).pointee
    let message = unsafe String(cString: members.message)
    let code = unsafe members.domain == library.g_io_error_quark() ? Int(members.code) : nil
    switch (code, unsafe name) {
    case (CSECRET_IO_CANCELLED, _), (CSECRET_IO_TIMED_OUT, _): self.init(.timedOut)
    case (CSECRET_IO_CLOSED, _): self.init(.noBus, detail: message)
    case (_, let name?): unsafe self.init(errorName: String(cString: name), message: message)
    case (_, nil): self.init(.refused, detail: message)
    }
  }
}

extension ServiceFailure {
  /// Explains what failed, the state of the keyring, and what to do.
  func explanation(_ what: String) -> AuthError.Explanation {
    AuthError.Explanation(what, why: why, hint: hint, remedy: remedy)
  }

  private var why: String {
    guard let detail else { return reason }
    return "\(reason): \(Self.printable(detail))"
  }

  private var reason: String {
    if let cause { return cause.reason }
    return switch fault {
    case .noBus: "no D-Bus session bus responds"
    case .noService: "no keyring is running (the session bus has no \(BusCall.serviceName))"
    case .noCollection: "the keyring has no default collection to keep secrets in"
    case .locked: "the keyring is locked"
    case .promptDismissed: "the keyring's password prompt was dismissed or could not be shown"
    case .timedOut: "the keyring did not respond in time"
    case .refused: "the keyring refuses"
    case .damaged: "the content is not text"
    }
  }

  private var remedy: AuthError.Remedy? {
    switch fault {
    case _ where cause != nil: nil
    case .timedOut, .refused: .tryAgain(after: nil)
    case .noService, .noCollection, .locked: .unlockKeyring
    case .noBus, .promptDismissed, .damaged: nil
    }
  }

  private var hint: String {
    if let cause { return cause.hint }
    return switch fault {
    case .noBus:
      "run it as the user whose session it is, with DBUS_SESSION_BUS_ADDRESS set or a bus at /run/user/UID/bus; "
        + "on a server: loginctl enable-linger USER"
    case .noService:
      "start a keyring, for example gnome-keyring-daemon or KeePassXC with its Secret Service switched on"
    case .noCollection:
      "log in to the desktop once, or create a keyring named Login in its password manager"
    case .locked:
      "unlock it in the desktop's password manager, or log in to the desktop"
    case .promptDismissed:
      "try again in a desktop session, and enter the keyring's password"
    case .timedOut:
      "check if the keyring shows a prompt on the screen, or restart it"
    case .refused:
      "check the keyring in the desktop's password manager, or restart it"
    case .damaged:
      "remove the item in the desktop's password manager, then log in again"
    }
  }

  /// Returns the text, which comes from another program, with control characters replaced.
  private static func printable(_ text: String) -> String {
    String(
      text.unicodeScalars.map { scalar in
        let isControl = scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
        return isControl ? "\u{FFFD}" : Character(scalar)
      })
  }
}
