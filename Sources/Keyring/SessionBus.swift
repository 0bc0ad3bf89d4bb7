import FoundationEssentials
import Glibc

/// Finds the address of the user's session bus.
struct SessionBus {
  /// The environment to look into.
  let environment: [String: String]
  /// Where the runtime directories of all users are.
  var runtimeRoot = "/run/user"

  /// The address of the bus in D-Bus syntax; nil where there is none to be found.
  ///
  /// Cron and the like name no bus: the one that systemd starts for each user then is at `$XDG_RUNTIME_DIR/bus`, where
  /// `XDG_RUNTIME_DIR` itself may have to be guessed. A bus is never started.
  var address: String? {
    if let stated = environment["DBUS_SESSION_BUS_ADDRESS"], !stated.isEmpty {
      // `autolaunch:` would have GDBus start a bus of its own, in which no keyring is.
      let usable = stated.split(separator: ";").filter { !$0.hasPrefix("autolaunch:") }
      return usable.isEmpty ? nil : usable.joined(separator: ";")
    }
    return candidates.first(where: isSocket).map { "unix:path=" + Self.escaped($0) }
  }

  /// The sockets at which a bus is looked for, in this order.
  private var candidates: [String] {
    let stated = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 + "/bus" : nil }
    return [stated, "\(runtimeRoot)/\(getuid())/bus"].compactMap { $0 }
  }

  private func isSocket(_ path: String) -> Bool {
    // A path that can't be looked at is no socket that could be used.
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.type] as? FileAttributeType == .typeSocket
  }

  /// Escapes a value of an address (D-Bus specification, "Server Addresses").
  static func escaped(_ value: String) -> String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_/.\\*".utf8)
    return value.utf8.map { byte in
      if plain.contains(byte) { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 16)
      return byte < 16 ? "%0" + digits : "%" + digits
    }.joined()
  }
}
