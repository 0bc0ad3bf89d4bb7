import AuthCore

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
