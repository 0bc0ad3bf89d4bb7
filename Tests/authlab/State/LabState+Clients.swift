import Foundation

/// The clients: those of the command line, those that have registered (RFC 7591), and those with a document.
extension LabState {
  /// The clients by their identifier.
  var clients: [String: Client] {
    let described = settings.clientMetadataDocuments ? documents : [:]
    return configuredClients.merging(registrations.mapValues(\.client)) { first, _ in first }
      .merging(described) { first, _ in first }
  }

  /// Registers a client.
  /// - Throws: `OAuthError` with the codes of RFC 7591, section 3.2.2.
  func register(_ asked: ClientMetadata) throws(OAuthError) -> Registration {
    try refuse(asked)
    var metadata = asked
    if settings.registrationFaults.contains(.otherRedirectURI) {
      metadata.redirectUris = ["http://127.0.0.1:9/elsewhere"]
    }
    if settings.registrationFaults.contains(.otherMethod) {
      metadata.method = asked.method == "client_secret_basic" ? "client_secret_post" : "client_secret_basic"
    }
    let hasSecret = metadata.method != "none"
    let lifetime = settings.registeredSecretLifetime
    let client = Client(
      id: "registered-" + RandomToken.make().prefix(12), secret: hasSecret ? RandomToken.make() : nil,
      secretExpiresAt: hasSecret && lifetime != 0 ? now + lifetime : nil, metadata: metadata)
    let registration = Registration(
      client: client, metadata: metadata, accessToken: RandomToken.make(), issuedAt: now)
    registrations[client.id] = registration
    return registration
  }

  private func refuse(_ metadata: ClientMetadata) throws(OAuthError) {
    let (faults, uris) = (settings.registrationFaults, metadata.redirectUris.compactMap { URLComponents(string: $0) })
    let numeric = uris.filter { $0.host != "localhost" && $0.scheme == "http" }
    guard !faults.contains(.localhostOnly) || numeric.isEmpty else {
      throw OAuthError("invalid_redirect_uri", "A redirect URI has an IP address.")
    }
    guard !faults.contains(.portNeeded) || numeric.allSatisfy({ $0.port != nil }) else {
      throw OAuthError("invalid_redirect_uri", "A redirect URI has no port.")
    }
    guard metadata.scope == nil || !faults.contains(.noScope) else {
      throw OAuthError("invalid_client_metadata", "scope is not supported.")
    }
    guard metadata.scope?.allSatisfy(settings.scopes.contains) ?? true else {
      throw OAuthError("invalid_client_metadata", "scope names a value that is not known.")
    }
    guard metadata.grantTypes.count(where: { $0 != "refresh_token" }) == 1 || !faults.contains(.oneGrant) else {
      throw OAuthError("invalid_client_metadata", "Only one grant type is supported.")
    }
    guard metadata.method != "none" || !faults.contains(.noPublicClients) else {
      throw OAuthError("invalid_client_metadata", "A client must authenticate.")
    }
  }

  /// The registration that an access token was issued for (RFC 7592, section 2); nil where it is not of this client.
  func registration(of id: String, accessToken: String) -> Registration? {
    registrations[id].flatMap { $0.accessToken == accessToken ? $0 : nil }
  }

  /// Ends a registration and all that was issued to its client (RFC 7592, section 2.3).
  func deleteRegistration(of id: String) {
    registrations[id] = nil
    for (number, family) in families where family.clientID == id { families[number]?.isRevoked = true }
  }

  /// Forgets the clients that have registered, as if the server had lost them.
  func forgetClients() {
    registrations = [:]
  }

  /// Puts a client's document where its `client_id` says that it is (OAuth Client ID Metadata Document).
  /// - Throws: `SettingsError` that says what is wrong with it.
  func publish(_ document: Data) throws {
    let metadata: ClientMetadata
    do throws(OAuthError) {
      metadata = try ClientMetadata(document)
    } catch {
      throw SettingsError(reason: "The document can't be used: \(error.description)")
    }
    guard let id = metadata.clientID, let url = URLComponents(string: id), url.scheme == "https", url.path.count > 1,
      url.fragment == nil
    else { throw SettingsError(reason: "The client_id of the document is not an https URL with a path.") }
    guard metadata.method == "none" else { throw SettingsError(reason: "The client of a document must be public.") }
    documents[id] = Client(id: id, secret: nil, metadata: metadata)
  }
}
