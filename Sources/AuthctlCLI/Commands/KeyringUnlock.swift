import AuthCore
import SystemPackage

extension RunnableCommand {
  static let keyring = RunnableCommand(
    family: "keyring", summary: "unlock the keyring on a machine without a desktop",
    manual: Manual(PackageResources.keyring_md), subcommands: [.keyringUnlock])
}

extension Command {
  static let keyringUnlock = Command(
    name: "keyring unlock", summary: "unlock or create the login keyring with a password",
    manual: Manual(PackageResources.keyring_unlock_md), options: KeyringPasswordOptions.all)
}

extension RunnableCommand {
  static let keyringUnlock = RunnableCommand(.keyringUnlock, KeyringUnlockArguments.init) { arguments, context in
    let state: Result<Bool, AuthError>
    do throws(AuthError) {
      state = .success(try await context.keyring.isUnlocked())
    } catch {
      state = .failure(error)
    }
    if state == .success(true) {
      if !context.verbosity.quiet { context.console.note("authctl: the keyring is already unlocked") }
      return .ok
    }
    // An invalid command line is reported first, whatever the state of the machine.
    let source = try arguments.password ?? KeyringPassword.usual(context)
    let stored = try source.stored(context)
    _ = try state.get()
    let password = try stored ?? source.read(context)
    // One process at a time starts the service and creates the keyring.
    let lock = context.fileLock(context.lockFolder.appending(".keyring.lock"))
    let isNew = try await lock.withLock(.exclusive, deadline: .seconds(35)) { _ throws(AuthError) in
      try await context.keyring.unlock(with: password)
    }
    guard let isNew else {
      throw AuthError.storeTimedOut(
        "the keyring can't be unlocked", why: "another process has been unlocking it for too long")
    }
    if !context.verbosity.quiet {
      context.console.show("authctl: keyring \(isNew ? "created and " : "")unlocked", as: .success)
    }
    return .ok
  }
}

/// The command line of `keyring unlock`.
struct KeyringUnlockArguments: Sendable {
  /// The source of the password that an option names; nil for the usual one.
  let password: KeyringPassword?

  /// - Throws: ``AuthError/usage(_:)``.
  init(_ invocation: Invocation) throws(AuthError) {
    password = try KeyringPassword.given(invocation)
  }
}
