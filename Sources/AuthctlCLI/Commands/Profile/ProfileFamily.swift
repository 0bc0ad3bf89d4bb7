import AuthCore

extension RunnableCommand {
  static let profile = RunnableCommand(
    family: "profile", summary: "manage profiles",
    description: """
      A profile is a file that describes a server and the APIs that may get its tokens; see authctl-profile(5). \
      `login` and `profile new` create one.
      """,
    subcommands: [
      .profileList, .profileShow, .profileNew, .profileEdit, .profileRemove, .profilePath, .profileNewKey,
      .profileClientMetadata,
    ])
}

/// The operands that the subcommands of `profile` share.
enum ProfileOperand {
  /// The name of a profile, required.
  static let required = Operand("PROFILE", completion: .profile)
  /// The name of a profile, optional.
  static let optional = Operand("PROFILE", optional: true, completion: .profile)
}

extension Command {
  static let profilePath = Command(
    name: "profile path", summary: "print the path of a profile's file, or of the folder",
    operands: [ProfileOperand.optional],
    description: """
      Prints the path of a profile's file, whether it exists or not. Without a name, the path of the profiles' folder.
      """,
    examples: [
      Example("cat \"$(authctl profile path work)\"", "Prints a profile's file."),
      Example("ls \"$(authctl profile path)\"", "Lists the files."),
      Example("git -C \"$(authctl profile path)\" diff", "Shows what has changed, if you version your profiles."),
    ])
}

extension RunnableCommand {
  static let profilePath = RunnableCommand(.profilePath, { try ProfileSelection($0) }) { selection, context in
    let path = selection.name.map { context.profiles.file(of: $0) } ?? context.profiles.path
    try context.console.write("\(path)\n")
    return .ok
  }
}
