import Foundation

/// Everything about the server that can be changed while it runs; the JSON names are these in snake case.
struct Settings: Codable, Sendable {
  /// The life of an access token, in seconds.
  var accessLifetime = 10.0
  /// The life of a refresh token, in seconds.
  var refreshLifetime = 3600.0
  /// The life of an authorization code, in seconds.
  var codeLifetime = 60.0
  /// What happens when a spent refresh token comes back.
  var reuse = ReusePolicy.strict
  /// How a dead refresh token is refused.
  var deadRefreshToken = DeadTokenAnswer.invalidGrant
  /// Whether a refresh answers with a new refresh token; else the old one stays good and none is sent.
  var refreshTokenInRefresh = true
  /// Whether a refresh answers with the same refresh token again.
  var sameRefreshToken = false
  /// Whether a refresh kills the access token before it.
  var refreshKillsAccessToken = false
  /// Whether client credentials get a refresh token (RFC 6749, section 4.4.3 advises against it).
  var refreshTokenForClientCredentials = false
  /// Whether the fourth and fifth kind answer with the pair alone, without the object or envelope around it.
  var flatTokens = false
  /// Whether access tokens are signed JWTs rather than random strings.
  var jwtAccessTokens = false
  /// `aud` of access tokens; the resource that was asked for (RFC 8707), else the client, when empty.
  var tokenAudience = ""
  /// What a login must ask for to get a refresh token.
  var refreshTokenFor = RefreshTokenRule.always

  /// The form of `expires_in`.
  var expiresIn = ExpiresInForm.number
  /// What `expires_in` says, in seconds; 0 for the truth.
  var announcedLifetime = 0.0
  /// The `token_type` of token responses; none when empty.
  var tokenType = "Bearer"
  /// The content type of token responses.
  var tokenContentType = "application/json"
  /// Whether token responses say which scope was granted.
  var scopeInResponse = true
  /// The scope that is granted whatever was asked for; as asked when empty.
  var grantedScope = ""
  /// The scope values that can be asked for.
  var scopes = ["openid", "profile", "email", "api", "read", "write", "offline_access"]
  /// Whether a refresh within the scope `openid` answers with an ID token.
  var idTokenInRefresh = true
  /// How ID tokens are signed.
  var idTokenAlgorithm = IDTokenAlgorithm.es256
  /// What is wrong with ID tokens.
  var idTokenFault = IDTokenFault.none
  /// Whether the keys of the key set have a `kid`.
  var keyNames = true
  /// How often the former key set is still answered after the keys were changed.
  var staleKeySets = 0

  /// Whether proofs are taken (RFC 9449); else they are passed over.
  var dpop = true
  /// Whether proofs at the token endpoint need the server's nonce.
  var dpopTokenNonce = false
  /// Whether proofs at the API need the server's nonce.
  var dpopApiNonce = false
  /// How often a nonce may be used before another one is asked for; any number of times when 0.
  var dpopNonceUses = 0
  /// Whether the API's demand for a nonce has neither an error nor a body.
  var dpopBareChallenge = false
  /// How far the time of a proof may be ahead, in seconds; with 0 it must lie in an earlier second.
  var dpopTolerance = 5.0

  /// Whether the authorization endpoint redirects at once, without a page.
  var grantWithoutPage = false
  /// How the authorization response deviates.
  var authorizationOddity = AuthorizationOddity.none
  /// Whether `offline_access` without `prompt=consent` is answered by a page (OpenID Connect Core, section 11).
  var offlineNeedsConsent = false
  /// Whether `nonce` is required with the scope `openid`.
  var requireNonce = false
  /// The redirect URIs that are accepted; any on loopback when empty.
  var redirectUris: [String] = []
  /// Whether a loopback redirect URI must have the registered port too (against RFC 8252, section 7.3).
  var exactRedirectUri = false

  /// Whether clients can register (RFC 7591).
  var registration = false
  /// The initial access token that a registration must have (RFC 7591, section 3); none when empty.
  var registrationToken = ""
  /// Whether a registration can be read and ended by its client (RFC 7592).
  var registrationManagement = true
  /// How a registration deviates.
  var registrationFaults: [RegistrationFault] = []
  /// The life of the secret of a registered client, in seconds: without end when 0, over already when negative.
  var registeredSecretLifetime = 0.0
  /// Whether a client can ask for no more than the scope that it has registered.
  var registeredScopeBinds = true
  /// Whether an https URL is taken as a client whose document was published by `/control/client-document`.
  var clientMetadataDocuments = false

  /// What becomes of pushed authorization requests (RFC 9126).
  var par = PushedRequests.off
  /// Whether `response_type` is required beside `request_uri`.
  var pushedNeedsResponseType = false
  /// The audience that assertions must have.
  var assertionAudience = AssertionAudience.issuer
  /// The life of a device code, in seconds.
  var deviceLifetime = 600.0
  /// The least time between two polls for a device code, in seconds.
  var deviceInterval = 1.0
  /// Members of the device authorization response, as the text of a JSON object: they take the place of the true ones;
  /// null takes one away.
  var deviceMembers = "{}"

  /// How HTTP Basic is decoded.
  var basicEncoding = BasicEncoding.any
  /// Whether a public client may revoke (RFC 7009, section 2.1).
  var publicRevocation = true
  /// Whether a revocation needs the field `client_secret`, also an empty one.
  var revocationNeedsSecretField = false

  /// Whether the RFC 8414 document is there.
  var oauthDiscovery = true
  /// Whether the OpenID Connect document is there.
  var openidDiscovery = true
  /// Members that the RFC 8414 document lacks.
  var oauthDiscoveryOmits: [String] = []
  /// Members that the OpenID Connect document lacks.
  var openidDiscoveryOmits: [String] = []
  /// Members of both documents, as the text of a JSON object: they take the place of the true ones; null takes one
  /// away.
  var discoveryMembers = "{}"
  /// A path in the issuer, such as `/tenant`, which moves both documents.
  var issuerPath = ""
  /// The issuer that both documents name; the truth when empty.
  var announcedIssuer = ""

  /// The scope that the API wants, and that a token without all of it is refused for; any will do when empty.
  var requiredScope = ""
  /// The status of that refusal; RFC 6750, section 3.1 says 403.
  var insufficientScopeStatus = 403
  /// Whether the API's challenge says which scope it wants.
  var scopeInChallenge = true
  /// The ways to log in of which the API wants one, the best first (RFC 9470); any will do when empty.
  var requiredAcr: [String] = []
  /// How many seconds ago the API wants the login to have been at the most; however long when negative.
  var requiredMaxAge = -1
  /// How people log in whatever was asked for; in the first way that was asked for when empty.
  var grantedAcr = ""

  /// The audience that the API wants in a token that has one; any will do when empty.
  var requiredAudience = ""

  /// Whether the API has metadata (RFC 9728).
  var resourceMetadata = false
  /// Where it is.
  var resourceMetadataAt = ResourceMetadataPlace.path
  /// How many authorization servers it lists that do not exist, after the true one.
  var moreAuthorizationServers = 0
  /// The path in the API's identifier.
  var resourcePath = "/api"
  /// Members of the API's metadata, as the text of a JSON object: they take the place of the true ones; null takes one
  /// away.
  var resourceMembers = "{}"
  /// Where the API's challenge says that its metadata is; it does not say when empty.
  var resourceMetadataUrl = ""

  /// The form of the API's challenge.
  var challenge = ChallengeForm.full
  /// The length of a parameter of the challenge that says nothing.
  var challengePadding = 0
  /// The status of the API's answer to a GET without a token: only 401 has a challenge, 200 is a page.
  var getWithoutTokenStatus = 401
  /// The status with which the API refuses an expired token.
  var expiredStatus = 401
  /// The status with which the third kind refuses a login or a refresh.
  var refusalStatus = 200
  /// Whether the first kind says how long a refresh token lives.
  var refreshExpiresInResponse = true
  /// How far the server's clock is ahead of the machine's, in seconds, in `Date` headers and in tokens.
  var clockOffset = 0.0
  /// Whether each request is reported on stderr.
  var log = false

  /// The settings with those replaced that a JSON object names.
  /// - Throws: `SettingsError` that says which member can't be used.
  func replacing(with patch: Data) throws -> Settings {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard var members = try JSONSerialization.jsonObject(with: encoder.encode(self)) as? [String: Any],
      let changes = try JSONSerialization.jsonObject(with: patch) as? [String: Any]
    else { throw SettingsError(reason: "The settings are not a JSON object.") }
    for (name, value) in changes {
      guard members[name] != nil else { throw SettingsError(reason: "There is no setting \(name).") }
      members[name] = value
    }
    do {
      return try decoder.decode(Settings.self, from: JSONSerialization.data(withJSONObject: members))
    } catch {
      throw SettingsError(reason: "A setting has a value that it can't have: \(error)")
    }
  }

  /// The settings as JSON.
  /// - Throws: `EncodingError`, which these types never cause.
  func encoded() throws -> String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
