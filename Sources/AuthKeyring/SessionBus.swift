import AuthCore
import FoundationEssentials
import Glibc

/// Finds the address of the user's session bus.
struct SessionBus {
  /// The environment to search.
  let environment: [String: String]
  /// The folder of all users' runtime directories.
  var runtimeRoot = "/run/user"

  /// The address of the bus in D-Bus syntax; nil if there is none.
  ///
  /// Cron and similar programs do not set an address. The bus that systemd starts for each user is then at
  /// `$XDG_RUNTIME_DIR/bus`, and `XDG_RUNTIME_DIR` itself may have to be guessed. A bus is never started.
  var address: String? {
    if let stated = environment["DBUS_SESSION_BUS_ADDRESS"], !stated.isEmpty {
      // `autolaunch:` would make GDBus start a separate bus, which has no keyring.
      let usable = stated.split(atAny: ";").filter { !$0.starts(withBytes: "autolaunch:") }
      return usable.isEmpty ? nil : usable.joined(separator: ";")
    }
    return candidates.first(where: isSocket).map { "unix:path=" + Self.escaped($0) }
  }

  /// The sockets to try, in this order.
  private var candidates: [String] {
    let stated = environment["XDG_RUNTIME_DIR"].flatMap { $0.starts(withBytes: "/") ? $0 + "/bus" : nil }
    return [stated, "\(runtimeRoot)/\(getuid())/bus"].compactMap { $0 }
  }

  private func isSocket(_ path: String) -> Bool {
    // A path without readable attributes is not a usable socket.
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.type] as? FileAttributeType == .typeSocket
  }

  /// Escapes a value of an address (D-Bus specification, "Server Addresses").
  static func escaped(_ value: String) -> String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_/.\\*".utf8)
    return value.utf8.map { byte in
      plain.contains(byte) ? String(UnicodeScalar(byte)) : "%" + byte.hexadecimal(2)
    }.joined()
  }
}
