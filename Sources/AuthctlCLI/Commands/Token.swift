import AuthCore

extension Command {
  static let token = Command(
    name: "token", summary: "print a valid access token",
    operands: [Operand("PROFILE", optional: true, completion: .profile)],
    description: """
      Prints the access token. If less than `--min-validity` of its validity remains, it is refreshed first.

      Use it for tools that need the token themselves. Do not pass it as an argument: all users of the machine can \
      read the arguments of your processes.
      """,
    options: [TokenOptions.minValidity, TokenOptions.header, .cache],
    examples: [
      Example(
        "curl -H @<(authctl token --header) https://api.example.com/me", "Gives curl the header, hidden from `ps`."),
      Example(
        "TOKEN=$(authctl token --min-validity 5m)",
        "Gets a token that is valid for five minutes, if the server issues such tokens."),
      Example("authctl token work", "Prints the token of one profile."),
    ],
    sections: [
      Section(
        "RECIPES",
        """
        These recipes, for bash, keep the token out of all arguments.

            # curl
            curl -s -H @<(authctl token --header) https://api.example.com/v1/me

            # wget, which reads settings from a file only: one without a name
            file=$(mktemp) && exec 3<>"$file" && rm "$file"
            printf 'header = %s\\n' "$(authctl token --header)" >&3
            wget -q -O - --config=/dev/fd/3 https://api.example.com/v1/me

            # httpie
            http --ignore-stdin https://api.example.com/v1/me \\
              Authorization:@<(printf 'Bearer %s' "$(authctl token)")

            # git over HTTPS: the token as a header of one command
            GIT_CONFIG_COUNT=1 \\
              GIT_CONFIG_KEY_0=http.https://git.example.com/.extraHeader \\
              GIT_CONFIG_VALUE_0="$(authctl token --header)" \\
              git ls-remote https://git.example.com/repository.git

            # git over HTTPS: the token as the password whenever git needs one; a refused one is refreshed
            git config --global credential.https://git.example.com.helper \\
              '!f() { case $1 in
                get) token=$(authctl token) || { echo quit=1; return 1; }
                  printf "username=oauth2\\npassword=%s\\n" "$token" ;;
                erase) authctl refresh --quiet ;;
                esac; }; f'
            git ls-remote https://git.example.com/repository.git

            # jq on a response
            authctl call me | jq -r .email

            # jq and curl in a script that sends requests itself
            authctl exec -- bash -c '
              curl -s -H @<(printf "Authorization: Bearer %s\\n" "$AUTHCTL_TOKEN") \\
                https://api.example.com/v1/me | jq -r .email'
        """)
    ], isSequential: true)
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
    "min-validity", .duration("DURATION"), summary: "refresh if less than this validity remains",
    detail: "Unless given: the profile's `refresh_before`, which is `60s` by default.")
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
