import AuthCore

extension Profile {
  /// The host of the server that checks the person's secrets, as a prompt shows it; with the port if it is unusual.
  var serverName: String {
    let issuer = issuer.flatMap { try? WebURL($0) }
    guard let origin = (issuer ?? endpoints.token ?? custom?.base ?? api.first)?.origin else { return name.string }
    return String(origin.string.dropFirst("\(origin.scheme.rawValue)://".count))
  }
}
