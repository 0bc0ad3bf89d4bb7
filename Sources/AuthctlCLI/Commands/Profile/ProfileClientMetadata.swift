import AuthCore
import SystemPackage

extension Command {
  static let profileClientMetadata = Command(
    name: "profile client-metadata", summary: "print the client ID metadata document to host",
    description: """
      Prints the JSON document that describes authctl as a client, for servers that read such documents instead of \
      registering clients. Host it at an https address of your own, and set the address in \
      `~/.config/authctl/config.toml`:

          client_metadata_url = "https://example.com/authctl.json"

      The address is then the client ID at every server whose metadata has `client_id_metadata_document_supported`.
      """,
    examples: [
      Example("authctl profile client-metadata > authctl.json", "Writes the document to a file, to be hosted."),
      Example(
        "authctl profile client-metadata | diff - hosted.json",
        "Compares it with a copy of the hosted document."),
      Example("authctl profile client-metadata | jq -r '.redirect_uris[]'", "Prints the redirect URIs."),
    ])
}

extension RunnableCommand {
  static let profileClientMetadata = RunnableCommand(.profileClientMetadata, { _ in }) { _, context in
    let file = Configuration.file(in: context.configuration)
    guard let url = try Configuration(in: context.configuration).clientMetadataURL else {
      throw AuthError.usage(
        .init(
          "profile client-metadata", why: "\(Configuration.clientMetadataKey) is not set",
          hint:
            "write to \(file): \(Configuration.clientMetadataKey) = \"https://…/authctl.json\", the address at which"
            + " you host the document"))
    }
    var members = RegistrationRequest(name: Program.authctl.name, ports: context.redirectPorts).members
    members["client_id"] = .string(url)
    try context.console.write(try JSONValue.object(members).text() + "\n")
    return .ok
  }
}
