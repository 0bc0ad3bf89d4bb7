import AuthCore

extension Command {
  static let token = Command(
    name: "token", summary: "print a valid access token",
    operands: [Operand("PROFILE", optional: true, completion: .profile)], manual: Manual(PackageResources.token_md),
    options: [TokenOptions.minValidity, TokenOptions.header, .cache], isSequential: true)
}

extension RunnableCommand {
  static let token = RunnableCommand(.token, TokenArguments.init) { arguments, context in
    let token = try await ExportedToken(arguments.token, provable: !arguments.printsHeader, context)
    try context.console.write((arguments.printsHeader ? token.headerLine : token.secret.exposed) + "\n")
    return .ok
  }
}

/// The options of `token`.
enum TokenOptions {
  static let minValidity = Option(
    "min-validity", .duration("DURATION"), summary: "refresh if less than this validity remains")
  static let header = Option("header", summary: "print the complete header line")
}

/// The command line of `token`.
struct TokenArguments: Sendable {
  /// The token.
  let token: ExportArguments
  /// Whether the header line is printed instead of the token alone.
  let printsHeader: Bool

  /// - Throws: ``AuthError/usage(_:)``.
  init(_ invocation: Invocation) throws(AuthError) {
    token = try ExportArguments(invocation)
    printsHeader = invocation.has(TokenOptions.header)
  }
}
