import AuthCore

extension Command {
  static let profilePath = Command(
    name: "profile path", summary: "print the path of a profile's file, or of their folder",
    operands: [ProfileOperand.optional],
    description: """
      Prints where the file of a profile is, or would be: it need not be there. Without a name it is the folder of all.
      """,
    examples: [
      Example("cp keycloak.toml \"$(authctl profile path work)\"", "Makes a profile from a template."),
      Example("ls \"$(authctl profile path)\"", "Lists the files."),
    ],
    run: { invocation, context in
      let name = try ProfileOperand.name(invocation)
      let path = name.map { context.profiles.file(of: $0) } ?? context.profiles.path
      try context.console.write("\(path)\n")
      return .ok
    })
}
