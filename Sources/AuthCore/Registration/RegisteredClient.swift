package import FoundationEssentials

/// A client that was registered at an authorization server (RFC 7591, section 3.2.1), as it is stored.
package struct RegisteredClient: Sendable, Equatable {
  /// `client_id`
  package let clientID: String
  /// `client_secret`; nil for a public client.
  package var clientSecret: Secret?
  /// `client_secret_expires_at`; nil if the secret does not expire.
  package var clientSecretExpiresAt: Date?
  /// `token_endpoint_auth_method`
  package let authentication: ClientAuthentication
  /// The `redirect_uris` on which the client can listen.
  package let redirectURIs: [RedirectURI]
  /// `grant_types`
  let grantTypes: [String]
  /// The scopes that the registration covers.
  let scope: [String]
  /// The access to the registration (RFC 7592); nil if the server offers none.
  package var management: Management?
  /// The token endpoint for which the client was registered, and whose origin alone gets its secret; nil if none was
  /// known.
  var tokenEndpoint: WebURL?
  /// The clients that it has replaced, the last one first: sessions that were logged in with them still need them.
  var former: [RegisteredClient] = []

  /// The address of a registration, and the token for it (RFC 7592, section 3).
  package struct Management: Sendable, Equatable {
    /// `registration_client_uri`
    let url: WebURL
    /// `registration_access_token`
    let token: Secret
  }

  /// The redirect URIs on which a login listens: those with a port, because the server may compare ports.
  package var listeningURIs: [RedirectURI] {
    let fixed = redirectURIs.filter { $0.port != nil }
    return fixed.isEmpty ? redirectURIs : fixed
  }

  /// Whether the client can be used for a login: its secret is valid, and its registration covers the login.
  ///
  /// - Parameter endpoint: the token endpoint from the server's metadata.
  package func covers(_ profile: Profile, flow: Flow, tokenEndpoint endpoint: WebURL?, at now: Date) -> Bool {
    guard !isExpired(at: now), Set(profile.scope).isSubset(of: scope), grantTypes.contains(flow.registeredGrantType),
      server(issuer: profile.issuer).change(in: profile, discovered: endpoint) == nil
    else { return false }
    return profile.redirectURI == [.standard] || Set(profile.redirectURI).isSubset(of: redirectURIs)
  }

  /// Returns the server to which the client secret may be sent.
  func server(issuer: String?) -> TokenPair.Server {
    TokenPair.Server(
      issuer: issuer, clientID: clientID, tokenEndpoint: tokenEndpoint?.string, revocationEndpoint: nil)
  }

  /// Whether the client secret has expired.
  func isExpired(at now: Date) -> Bool { clientSecretExpiresAt.map { $0 <= now } ?? false }
}

extension Flow {
  /// The grant type that a client must be registered for.
  var registeredGrantType: String { self == .device ? Profile.deviceGrantType : "authorization_code" }
}

// MARK: - Storing

extension RegisteredClient {
  private static let version = 1

  private struct Item: Codable {
    let version: Int
    let clientID: String
    let clientSecret: String?
    let clientSecretExpiresAt: Date?
    let authentication: String
    let redirectURIs: [String]
    let grantTypes: [String]
    let scope: String
    let registrationClientURI: String?
    let registrationAccessToken: String?
    let tokenEndpoint: String?
    let former: [Item]?

    enum CodingKeys: String, CodingKey {
      case version
      case clientID = "client_id"
      case clientSecret = "client_secret"
      case clientSecretExpiresAt = "client_secret_expires_at"
      case authentication = "token_endpoint_auth_method"
      case redirectURIs = "redirect_uris"
      case grantTypes = "grant_types"
      case scope
      case registrationClientURI = "registration_client_uri"
      case registrationAccessToken = "registration_access_token"
      case tokenEndpoint = "token_endpoint"
      case former
    }
  }

  /// The item of a registration that has begun: it names no client.
  static let begun = Secret(#"{"version":\#(version)}"#)

  /// The maximum number of replaced clients that are kept.
  private static let mostFormer = 8

  /// Reads an item; nil if it holds no client that can be used.
  init?(stored: Secret) {
    // A damaged item is replaced by the next registration.
    guard let item = try? stored.decoded(as: Item.self) else { return nil }
    self.init(item)
    former = (item.former ?? []).compactMap { RegisteredClient($0) }
  }

  private init?(_ item: Item) {
    guard item.version == RegisteredClient.version, !item.clientID.isEmpty,
      let authentication = ClientAuthentication(rawValue: item.authentication)
    else { return nil }
    clientID = item.clientID
    clientSecret = item.clientSecret.map { Secret($0) }
    clientSecretExpiresAt = item.clientSecretExpiresAt
    self.authentication = authentication
    redirectURIs = item.redirectURIs.compactMap { try? RedirectURI($0) }
    grantTypes = item.grantTypes
    scope = item.scope.scopeWords
    if let address = item.registrationClientURI, let url = try? WebURL(address),
      let token = item.registrationAccessToken
    {
      management = Management(url: url, token: Secret(token))
    }
    tokenEndpoint = item.tokenEndpoint.flatMap { try? WebURL($0) }
  }

  /// Returns this client as the successor of the one in the keyring.
  func replacing(_ old: RegisteredClient?) -> RegisteredClient {
    guard var old else { return self }
    var client = self
    let older = old.former
    old.former = []
    client.former = Array(([old] + older).prefix(RegisteredClient.mostFormer))
    return client
  }

  /// This client and those that it has replaced.
  package var all: [RegisteredClient] { [self] + former }

  /// Returns the client with an ID: this one, or one that it has replaced; nil if neither has it.
  func named(_ clientID: String) -> RegisteredClient? { all.first { $0.clientID == clientID } }

  /// Returns this client, or the one among those that it has replaced, with the changes of another with the same ID.
  func updating(_ changed: RegisteredClient) -> RegisteredClient {
    var client = clientID == changed.clientID ? changed : self
    client.former = former.map { $0.clientID == changed.clientID ? changed : $0 }
    return client
  }

  private var item: Item {
    Item(
      version: RegisteredClient.version, clientID: clientID, clientSecret: clientSecret?.exposed,
      clientSecretExpiresAt: clientSecretExpiresAt, authentication: authentication.rawValue,
      redirectURIs: redirectURIs.map(\.string), grantTypes: grantTypes, scope: scope.joined(separator: " "),
      registrationClientURI: management?.url.string, registrationAccessToken: management?.token.exposed,
      tokenEndpoint: tokenEndpoint?.string, former: former.isEmpty ? nil : former.map(\.item))
  }

  /// Returns the client as the secret of a keyring item.
  ///
  /// - Throws: ``AuthError/failed(_:)`` if it can't be encoded.
  func stored() throws(AuthError) -> Secret {
    do {
      return try Secret(encoding: item)
    } catch {
      throw .failed("storing the registered client", why: "it can't be encoded", hint: "report this as a bug")
    }
  }
}
