import AuthCore

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
    operands: [ProfileOperand.optional], manual: Manual(PackageResources.profile_path_md))
}

extension RunnableCommand {
  static let profilePath = RunnableCommand(.profilePath, { try ProfileSelection($0) }) { selection, context in
    let path = selection.name.map { context.profiles.file(of: $0) } ?? context.profiles.path
    try context.console.write("\(path)\n")
    return .ok
  }
}
