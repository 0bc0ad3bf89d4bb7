import AuthCore
import SystemPackage

extension Command {
  static let profileClientMetadata = Command(
    name: "profile client-metadata", summary: "print a client ID metadata document for authctl",
    description: """
      Prints a JSON document that describes authctl as a client. Some servers read such a document instead of \
      registering the client. Host it at an https URL of your own, and set this URL in \
      `~/.config/authctl/config.toml`:

          client_metadata_url = "https://example.com/authctl.json"

      The URL is then the client ID at every server with `client_id_metadata_document_supported` in its metadata, \
      unless a login has registered a client there.
      """,
    examples: [
      Example("authctl profile client-metadata > authctl.json", "Writes the document to a file."),
      Example(
        "authctl profile client-metadata | diff - hosted.json",
        "Compares the document with a copy of the hosted one."),
      Example("authctl profile client-metadata | jq -r '.redirect_uris[]'", "Prints the redirect URIs."),
    ])
}

extension RunnableCommand {
  static let profileClientMetadata = RunnableCommand(.profileClientMetadata, { _ in }) { _, context in
    let file = Configuration.file(in: context.configuration)
    guard let url = try Configuration(in: context.configuration).clientMetadataURL else {
      throw AuthError.usage(
        "profile client-metadata", why: "\(Configuration.clientMetadataKey) is not set",
        hint:
          "add \(Configuration.clientMetadataKey) = \"https://…/authctl.json\" to \(file): the URL at which"
          + " you host the document")
    }
    var members = RegistrationRequest(name: Program.authctl.name, ports: context.redirectPorts).members
    members["client_id"] = .string(url)
    try context.console.write(try JSONValue.object(members).text() + "\n")
    return .ok
  }
}
