import AuthCore

extension Command {
  static let profilePath = Command(
    name: "profile path", summary: "print the path of a profile's file, or of the folder",
    operands: [ProfileOperand.optional],
    description: """
      Prints the path of a profile's file, whether it exists or not. Without a name, the path of the profiles' folder.
      """,
    examples: [
      Example("cp keycloak.toml \"$(authctl profile path work)\"", "Creates a profile from a template."),
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
