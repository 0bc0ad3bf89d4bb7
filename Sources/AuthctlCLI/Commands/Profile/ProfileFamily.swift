import AuthCore

extension RunnableCommand {
  static let profile = RunnableCommand(
    family: "profile", summary: "manage profiles",
    description: """
      A profile is a file that describes a server and the APIs that may get its tokens; see authctl-profile(5). The \
      first `login` creates one from its options.
      """,
    subcommands: [.profileList, .profileShow, .profileEdit, .profileRemove, .profilePath])
}

/// What the commands below `profile` have in common.
enum ProfileOperand {
  /// The name of a profile that must be given.
  static let required = Operand("PROFILE", completion: .profile)
  /// The name of a profile that need not be given.
  static let optional = Operand("PROFILE", optional: true, completion: .profile)

  /// The name that was typed; nil where none was.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where it can't be one, or `--profile` says another.
  static func name(_ invocation: Invocation) throws(AuthError) -> ProfileName? {
    guard let operand = invocation.operands.first ?? invocation.value(.profile) else { return nil }
    if let option = invocation.value(.profile), option != operand {
      throw .usage(
        .init(
          "--profile \(Escaped.text(option, limit: 80))", why: "another profile is named, too",
          hint: "name one profile"))
    }
    return try ProfileChoice.name(operand)
  }

  /// The name, where the grammar lets none be missing.
  static func requiredName(_ invocation: Invocation) throws(AuthError) -> ProfileName {
    guard let name = try name(invocation) else {
      throw .usage(.init(invocation.command.name, why: "no profile named", hint: "add the name of a profile"))
    }
    return name
  }
}
