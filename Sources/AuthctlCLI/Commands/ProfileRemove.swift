import AuthCore

extension Command {
  static let profileRemove = Command(
    name: "profile remove", summary: "remove a profile's file", operands: [ProfileOperand.required],
    description: """
      Removes the file. Where somebody is logged in, or a secret of the profile is in the keyring, it refuses: \
      `authctl logout` ends a session at the server too. With `--force` what is in the keyring is forgotten without \
      the server being told, and the file is removed.

      On a terminal it asks first, unless `--force` is given.
      """,
    options: [ProfileRemoveOptions.force],
    examples: [
      Example("authctl logout work && authctl profile remove work", "Ends a session and removes its profile."),
      Example("authctl profile remove work --force", "Removes a profile whose server is gone."),
    ],
    run: { invocation, context in
      let settings = Settings(invocation, context)
      let name = try ProfileOperand.requiredName(invocation)
      let file = context.profiles.file(of: name)
      // A file that can't be read as a profile may be removed as well.
      guard try context.profiles.names().contains(name) else {
        _ = try ProfileChoice(context).profile(named: name)
        return .ok
      }
      let isForced = invocation.has(ProfileRemoveOptions.force)
      let kinds = try await ProfileRemoveOptions.kept(name, context)
      guard kinds.isEmpty || isForced else {
        // A logout needs a file that can be read.
        let canLogOut = (try? context.profiles.profile(name)) != nil
        let hint =
          canLogOut
          ? "run: authctl logout \(name); or give --force to forget them without telling the server"
          : "fix its file, then log out; or forget them here only: authctl profile remove \(name) --force"
        throw AuthError.usage(
          .init(
            "profile \(name)", why: "\(kinds.map(\.rawValue).joined(separator: ", ")) of it in the keyring",
            hint: hint))
      }
      if !settings.nonInteractive, !isForced {
        let answer = try context.console.ask("Remove \(file)? [y/N] ", echo: true)
        guard answer?.lowercased().hasPrefix("y") == true else {
          context.console.note("authctl: nothing was removed")
          return .failed
        }
      }
      // Of a profile that is to go, the name is all that a local logout needs. Nothing in the keyring may still mean
      // something that could not be stored there.
      _ = try await context.session(Profile(name: name, clientID: ""), settings).end(localOnly: true)
      try context.profiles.remove(name)
      if !settings.quiet {
        let more = kinds.isEmpty ? "" : ", and what was in the keyring; the server was not told"
        context.console.note("authctl: removed \(file)\(more)")
      }
      return .ok
    })
}

/// The options of `profile remove`.
enum ProfileRemoveOptions {
  static let force = Option(
    "force", summary: "remove it even if somebody is logged in",
    detail: "What the keyring holds of the profile is forgotten; the server is not asked to revoke it.")

  /// What the keyring holds of a profile.
  ///
  /// - Throws: ``AuthError/storage(_:_:)`` where nobody can tell.
  static func kept(_ name: ProfileName, _ context: Context) async throws(AuthError) -> [SecretItem.Kind] {
    let secrets = context.secrets(false)
    var kinds: [SecretItem.Kind] = []
    for kind in SecretItem.Kind.allCases {
      if try await secrets.load(SecretItem(profile: name.string, kind: kind)) != nil { kinds.append(kind) }
    }
    return kinds
  }
}
