import AuthCore
import SystemPackage

extension RunnableCommand {
  static let keyring = RunnableCommand(
    family: "keyring", summary: "unlock the keyring on a machine without a desktop",
    description: """
      A desktop unlocks the keyring at login. On a server, over SSH and in a container, `keyring unlock` unlocks it.
      """,
    subcommands: [.keyringUnlock],
    sections: [
      Section(
        "A MACHINE WITHOUT A DESKTOP",
        """
        The keyring needs a D-Bus user bus. `loginctl enable-linger USER` makes systemd start the user's bus at boot. \
        `authctl` finds it even if `DBUS_SESSION_BUS_ADDRESS` is not set, as in cron: at `$XDG_RUNTIME_DIR/bus` or \
        `/run/user/UID/bus`. In a container, `dbus-run-session -- COMMAND` starts a bus for a command; the keyring \
        ends with it.

        This systemd service of the user unlocks the keyring at boot. `systemd-creds encrypt` encrypts the password \
        for this machine (`LoadCredentialEncrypted` in a user's service: systemd 256):

            [Service]
            Type=oneshot
            RemainAfterExit=yes
            LoadCredential=authctl-keyring:%h/.config/keyring-password
            ExecStart=/usr/local/bin/authctl keyring unlock

            [Install]
            WantedBy=default.target

        A keyring that a machine unlocks by itself is protected no better than the password that the machine has. A \
        program that acts for itself, and not for a person, needs no keyring: see `store` in authctl-profile(5).
        """)
    ])
}

extension Command {
  static let keyringUnlock = Command(
    name: "keyring unlock", summary: "unlock or create the login keyring with a password",
    description: """
      Unlocks the keyring that secrets are stored in: the default collection of the Secret Service, which is the login \
      keyring unless you have chosen another one. If there is none, creates the login keyring with this password. If \
      it is unlocked already, does nothing, and reads no password. An existing keyring is never replaced.

      If no keyring service runs, it is started: by the bus, or, if the bus can't, `gnome-keyring-daemon`. It keeps \
      running after the command exits, until the bus ends.

      The password is read from an option, else from the systemd credential `authctl-keyring`, else from a prompt. \
      `gnome-keyring` 42 and later accepts it, and so do other services with the same interface. KeePassXC, and \
      versions of oo7-daemon without that interface, can't be unlocked by another program: the exit status is 4, and \
      the message has the remedy.

      Exit status: 4 if the password is wrong, or there is no bus; 2 if there is no password. The command ends within \
      35 seconds, besides the time at the prompt and that of another process which is unlocking the keyring.
      """,
    options: KeyringPasswordOptions.all,
    examples: [
      Example("authctl keyring unlock", "Prompts for the password."),
      Example(
        "authctl keyring unlock --password-file ~/.config/keyring-password",
        "Unlocks the keyring in a script, before the first command that needs it."),
      Example("pass show keyring | authctl keyring unlock --password-stdin", "Takes the password from a program."),
    ])
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
