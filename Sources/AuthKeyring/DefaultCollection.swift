import AuthCore
import FoundationEssentials

/// The collection that new secrets go to: finds, creates and unlocks it.
///
/// Its password reaches gnome-keyring in one of two ways, of which each version has at least one: an interface on the
/// bus, and the control socket, by which PAM unlocks it.
struct DefaultCollection {
  /// The collection that PAM creates and unlocks at login.
  static let login = "/org/freedesktop/secrets/collection/login"
  /// The interface of gnome-keyring that takes passwords. Other services have it, too.
  private static let interface = "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface"
  private static let collectionInterface = "org.freedesktop.Secret.Collection"

  private let connection: ServiceConnection

  /// Creates the value for the service of a connection.
  init(_ connection: ServiceConnection) {
    self.connection = connection
  }

  /// Returns the unique bus name of the service; nil if none runs. A call to the service itself would start one.
  ///
  /// - Throws: ``ServiceFailure`` if the bus does not respond.
  func service() throws(ServiceFailure) -> String? {
    do throws(ServiceFailure) {
      let response = try connection.call(.bus("GetNameOwner", .string(BusCall.serviceName)))
      guard case .string(let owner)? = response.members.first else { throw ServiceFailure(.noService) }
      return owner
    } catch  where error.fault == .noService {
      return nil
    }
  }

  /// Returns the path of the collection; nil if there is none.
  ///
  /// - Throws: ``ServiceFailure``.
  func find() throws(ServiceFailure) -> String? {
    let alias = try connection.call(.service("ReadAlias", .string("default")))
    guard case .objectPath(let path)? = alias.members.first else {
      throw ServiceFailure(.refused, detail: "its response is unusable")
    }
    return path == BusCall.noObject ? nil : path
  }

  /// Returns whether a collection is locked.
  ///
  /// - Throws: ``ServiceFailure``, also if it is not on the bus.
  func isLocked(_ path: String) throws(ServiceFailure) -> Bool {
    do throws(ServiceFailure) {
      let response = try connection.call(.property("Locked", of: Self.collectionInterface, at: path))
      return response.members.first?.unwrapped != .boolean(false)
    } catch  where error.isMissingObject {
      // gnome-keyring does not show a collection that its control socket has created while the service was running.
      throw ServiceFailure(
        .noCollection, reason: "it was created, but the running keyring service does not show it",
        hint: "end the keyring service, then run this again")
    }
  }

  /// Checks that the service accepts a password.
  ///
  /// - Throws: ``ServiceFailure`` with the program's name if it does not.
  func proveUnlockable() throws(ServiceFailure) {
    guard try !hasInterface(), try control() == nil else { return }
    throw try foreign()
  }

  /// Unlocks the collection, or creates it.
  ///
  /// - Parameter folder: where gnome-keyring has its files.
  /// - Returns: whether it was created.
  /// - Throws: ``ServiceFailure``; an existing collection is then as it was.
  func open(with password: Secret, folder: KeyringFolder) throws(ServiceFailure) -> Bool {
    let known = try find()
    let existing: String? = if let known { known } else { try unnamed(in: folder) }
    let path = if let existing { existing } else { try create(with: password, in: folder) }
    if existing != nil, try isLocked(path) { try unlock(path, with: password) }
    guard try !isLocked(path) else {
      throw ServiceFailure(.locked, detail: "it accepted the password, but is still locked")
    }
    // gnome-keyring uses `login` as the default collection, unless its file `default` names another one.
    if known == nil, try find() == nil {
      _ = try connection.call(.service("SetAlias", .string("default"), .objectPath(path)))
    }
    return existing == nil
  }
}

// MARK: - Unlocking

extension DefaultCollection {
  /// Returns the path of a collection that is not the default one yet; nil if there is none.
  private func unnamed(in folder: KeyringFolder) throws(ServiceFailure) -> String? {
    for _ in 0..<20 {
      if try exists(Self.login) { return Self.login }
      guard folder.loginFile != nil else { break }
      // Another process may be creating it: its file appears first.
      _ = connection.wait(for: .milliseconds(100), until: { false })
      if let path = try find() { return path }
    }
    return nil
  }

  private func unlock(_ path: String, with password: Secret) throws(ServiceFailure) {
    if try hasInterface() {
      try send("UnlockWithMasterPassword", .objectPath(path), password)
    } else if let control = try control() {
      guard path == Self.login else {
        throw ServiceFailure(
          .locked, reason: "the default keyring is another one than the login keyring, which alone it can unlock",
          hint: "unlock it in the password manager, or make the login keyring the default one")
      }
      try control.unlockLogin(with: password)
    } else {
      throw try foreign()
    }
  }

  /// Creates the collection `login`, and returns its path.
  private func create(with password: Secret, in folder: KeyringFolder) throws(ServiceFailure) -> String {
    // gnome-keyring would ignore an unreadable file, and create the collection beside it, under another name.
    if let file = folder.loginFile {
      throw ServiceFailure(
        .damaged, reason: "its file \(file) exists, but the keyring service can't read it",
        hint: "restore the file from a backup; or move it away, then run this again to create a new keyring")
    }
    if try hasInterface() { return try createByCall(with: password) }
    guard let control = try control() else { throw try foreign() }
    try control.unlockLogin(with: password)
    return Self.login
  }

  private func createByCall(with password: Secret) throws(ServiceFailure) -> String {
    // gnome-keyring makes the name of the collection from this label.
    let label = BusValue.properties(["\(Self.collectionInterface).Label": .string("login")])
    let response = try send("CreateWithMasterPassword", label, password)
    guard case .objectPath(let path)? = response.members.first, path != BusCall.noObject else {
      throw ServiceFailure(.refused, detail: "its response is unusable")
    }
    guard let other = try find(), other != path else { return path }
    // Another process has created the collection at the same time, and this one is a second collection.
    _ = try connection.call(BusCall(path: path, interface: Self.collectionInterface, member: "Delete"))
    if try isLocked(other) { try unlock(other, with: password) }
    return other
  }

  @discardableResult
  private func send(_ member: String, _ first: BusValue, _ password: Secret) throws(ServiceFailure) -> BusValue {
    try connection.finishSession(connection.beginSession())
    return try connection.call(BusCall(interface: Self.interface, member: member), passing: password, after: [first])
  }

  private func exists(_ path: String) throws(ServiceFailure) -> Bool {
    let response = try connection.call(
      .property("Collections", of: "org.freedesktop.Secret.Service", at: BusCall.servicePath))
    guard case .objectPaths(let paths)? = response.members.first?.unwrapped else { return false }
    return paths.contains(path)
  }
}

// MARK: - The service

extension DefaultCollection {
  private func hasInterface() throws(ServiceFailure) -> Bool {
    do throws(ServiceFailure) {
      let response = try connection.call(
        BusCall(interface: "org.freedesktop.DBus.Introspectable", member: "Introspect"))
      guard case .string(let description)? = response.members.first else { return false }
      return description.contains(bytes: "\"\(Self.interface)\"")
    } catch  where error.isMissingObject {
      return false
    }
  }

  /// The control socket of the daemon that is on the bus; nil if the daemon has none.
  private func control() throws(ServiceFailure) -> ControlSocket? {
    guard let owner = try service() else { return nil }
    do throws(ServiceFailure) {
      let response = try connection.call(
        BusCall(
          destination: owner, path: "/org/gnome/keyring/daemon", interface: "org.gnome.keyring.Daemon",
          member: "GetControlDirectory"))
      guard case .string(let folder)? = response.members.first else { return nil }
      let socket = ControlSocket(path: folder + "/control", patience: connection.timeLeft)
      return socket.isServed ? socket : nil
    } catch  where error.isMissingObject || error.fault == .refused {
      return nil
    }
  }

  /// Returns the failure for a service that accepts no password.
  private func foreign() throws(ServiceFailure) -> ServiceFailure {
    let response = try connection.call(.bus("GetConnectionUnixProcessID", .string(BusCall.serviceName)))
    guard case .number(let process)? = response.members.first else { return ServiceFailure(.locked) }
    // A process that has ended meanwhile has no name.
    let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8).droppingLineEnd
    return .notUnlockable(by: name ?? "another program")
  }
}

extension ServiceFailure {
  /// Returns the failure for a service that only its own program can unlock.
  ///
  /// - Parameter program: the name of its process.
  static func notUnlockable(by program: String) -> ServiceFailure {
    let (name, remedy) =
      switch program {
      case "keepassxc": ("KeePassXC", "open its database in the window of KeePassXC")
      case let name where name.starts(withBytes: "oo7-daemon"):
        (
          "oo7-daemon",
          "start oo7-daemon with --login,"  // words: keep
            + " or give its service the credential oo7.keyring-encryption-password"
        )
      case let name where name.starts(withBytes: "kwalletd") || name.starts(withBytes: "ksecretd"):
        (name, "open the wallet in a KDE session")
      default: (program, "unlock it with its own program")
      }
    return ServiceFailure(
      .locked, reason: "the keyring service is \(Escaped.text(name, limit: 80)), which accepts no password",
      hint: "\(remedy); or end it, and run this again to use gnome-keyring")
  }
}

/// The folder in which gnome-keyring has its files.
struct KeyringFolder {
  /// The environment that names it.
  let environment: [String: String]

  /// The file of the login keyring, if it exists.
  var loginFile: String? {
    let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 + "/.local/share" }
    let stated = environment["XDG_DATA_HOME"].flatMap { $0.starts(withBytes: "/") ? $0 : nil }
    guard let data = stated ?? home else { return nil }
    let file = data + "/keyrings/login.keyring"
    return FileManager.default.fileExists(atPath: file) ? file : nil
  }
}
