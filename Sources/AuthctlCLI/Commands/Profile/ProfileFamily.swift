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
}
