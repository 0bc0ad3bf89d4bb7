import AuthCore
import SystemPackage

extension Command {
  static let profileClientMetadata = Command(
    name: "profile client-metadata", summary: "print a client ID metadata document for authctl",
    manual: Manual(PackageResources.profile_client_metadata_md))
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
    var members = RegistrationRequest(name: ProgramName.standard.text, ports: context.redirectPorts).members
    members["client_id"] = .string(url)
    try context.console.write(try JSONValue.object(members).text() + "\n")
    return .ok
  }
}
