import AuthCore
import HTTPTypes

extension Command {
  static let token = Command(
    name: "token", summary: "print an access token that is valid",
    description: """
      Prints the access token, renewed first where less than `--min-validity` is left of it. For tools that can't be \
      run through `authctl call`; whoever reads the output has the token.
      """,
    options: [TokenOptions.minValidity, TokenOptions.header],
    examples: [
      Example(
        "curl -H @<(authctl token --header) https://api.example.com/me", "Gives curl the header, out of sight of `ps`."),
      Example(
        "TOKEN=$(authctl token --min-validity 5m)", "Takes a token with five minutes left, where the server gives such."
      ),
    ],
    run: { invocation, context in
      let handed = try await HandedToken(invocation, context).token(provable: !invocation.has(TokenOptions.header))
      try context.console.write(TokenOptions.line(handed.token, handed.header, invocation) + "\n")
      return .ok
    })
}

/// The options of `token`.
enum TokenOptions {
  static let minValidity = Option(
    "min-validity", .duration("DURATION"), summary: "renew unless so much is left",
    detail: "Unless given: the profile's `refresh_before`, which is `60s` where the profile does not say.")
  static let header = Option("header", summary: "print the whole header line")

  /// The token, or the header line with it.
  static func line(_ token: Secret, _ header: TokenHeader, _ invocation: Invocation) -> String {
    guard invocation.has(self.header) else { return token.exposed }
    let field = header.field(token)
    return "\(field.name.rawName): \(field.value)"
  }
}
