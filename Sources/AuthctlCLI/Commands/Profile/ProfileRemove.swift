import AuthCore
import FoundationEssentials
import SystemPackage

extension Command {
  static let profileRemove = Command(
    name: "profile remove", summary: "remove a profile's file", operands: [ProfileOperand.required],
    manual: Manual(PackageResources.profile_remove_md), options: [ProfileRemoveOptions.force])
}

extension RunnableCommand {
  static let profileRemove = RunnableCommand(.profileRemove, ProfileRemoveArguments.init) { arguments, context in
    let (name, isForced) = (arguments.name, arguments.isForced)
    let file = context.profiles.file(of: name)
    // A file that is not a valid profile may be removed too.
    guard try context.profiles.names().contains(name) else {
      _ = try ProfileChoice(context).profile(named: name)
      return .ok
    }
    // A file that can't be read names no client; its secrets are in the keyring, unless there is a session file.
    let profile = try? context.profiles.profile(name, requiringFiles: false)
    var bare = Profile(name: name, clientID: "")
    if let profile { (bare.store, bare.storeKey) = (profile.store, profile.storeKey) }
    let sessionFile = ProfileRemoveOptions.sessionFile(of: name, context)
    if profile == nil, let sessionFile {
      throw AuthError.usage(
        "profile \(name)", why: "its file can't be read, and it has the session file \(sessionFile)",
        hint: "fix its file, then log out; or remove the session: rm \(ShellWord.quoted(sessionFile))")
    }
    // Without a session file, its key is not needed, which may be lost.
    let isWithoutStore = bare.isOnDemand || bare.store == .file && sessionFile == nil
    let kinds = isWithoutStore ? [] : try await ProfileRemoveOptions.kept(bare, context)
    guard kinds.isEmpty || isForced else {
      // A logout needs a valid profile.
      let canLogOut = (try? context.profiles.profile(name)) != nil
      let hint =
        canLogOut
        ? "run: authctl logout \(name); or use --force to delete them without revoking"
        : "fix its file, then log out; or delete them without revoking: authctl profile remove \(name) --force"
      throw AuthError.usage(
        "profile \(name)", why: "the \(bare.store.place) has its \(kinds.map(\.rawValue).joined(separator: ", "))",
        hint: hint)
    }
    if !context.verbosity.nonInteractive, !isForced {
      let response = try context.console.ask("Remove \(file)? [y/N] ", echo: true)
      guard response?.lowercased().starts(withBytes: "y") == true else {
        context.console.note("authctl: nothing removed")
        return .failed
      }
    }
    // A local logout needs only the profile's name. It also deletes refreshed tokens that could not be saved to the
    // keyring.
    if isWithoutStore {
      try await context.session(bare).invalidateCache()
    } else {
      _ = try await context.session(bare).logOutWithOutcome(localOnly: true)
    }
    try context.profiles.remove(name)
    if !context.verbosity.quiet {
      let more = kinds.isEmpty ? "" : " and its secrets in the \(bare.store.place); nothing was revoked at the server"
      context.console.show("authctl: removed \(file)\(more)", as: .success)
    }
    if let profile { try await ProfileRemoveOptions.removeClient(of: profile, isForced: isForced, context) }
    return .ok
  }
}

/// The options of `profile remove`.
enum ProfileRemoveOptions {
  static let force = Option("force", summary: "remove it even if it is logged in")

  /// Deletes the registered client of a removed profile, unless another profile or a login in progress uses it.
  ///
  /// - Throws: `AuthError` if it was not deleted, unless the removal is forced.
  static func removeClient(of profile: Profile, isForced: Bool, _ context: Context) async throws(AuthError) {
    guard profile.lacksClient else { return }
    let server = context.server(profile, VerboseLog(context))
    do throws(AuthError) {
      let removed = try await context.deletingClient(of: profile, isRemoved: true) { () throws(AuthError) in
        try await server.removeRegisteredClient()
      }
      guard let kept = removed ?? nil, !context.verbosity.quiet else { return }
      context.console.note(
        "authctl: client \(Escaped.text(kept.clientID, limit: 80)) stays at the server: it offers no way to delete it")
    } catch {
      guard !isForced else { return }
      throw error
    }
  }

  /// Returns the path of the first of a profile's session files; nil if there is none.
  static func sessionFile(of name: ProfileName, _ context: Context) -> String? {
    SealedFileStore.names(of: name.string).sorted().map { context.sessionFolder.appending($0).string }
      .first { FileManager.default.fileExists(atPath: $0) }
  }

  /// Returns the kinds of items that are stored for a profile.
  ///
  /// - Throws: ``AuthError/storage(_:_:)`` if the store can't be read.
  static func kept(_ profile: Profile, _ context: Context) async throws(AuthError) -> [SecretItem.Kind] {
    let secrets = context.store(of: profile)
    var kinds: [SecretItem.Kind] = []
    for kind in SecretItem.Kind.ofProfile {
      do throws(AuthError) {
        if try await secrets.load(SecretItem(profile: profile.name.string, kind: kind)) != nil { kinds.append(kind) }
      } catch .storage(.noCollection, _) {
        // A keyring without a collection has no items.
      }
    }
    return kinds
  }
}

/// The command line of `profile remove`.
struct ProfileRemoveArguments: Sendable {
  /// The profile to remove.
  let name: ProfileName
  /// Whether it is removed without confirmation, even if it is logged in.
  let isForced: Bool

  /// - Throws: ``AuthError/usage(_:)``.
  init(_ invocation: Invocation) throws(AuthError) {
    name = try ProfileSelection(invocation).requiredName(for: invocation.command.name)
    isForced = invocation.has(ProfileRemoveOptions.force)
  }
}
