import FoundationEssentials
import HTTPTypes

/// The client registration endpoint of an authorization server (RFC 7591).
package struct ClientRegistration: Sendable {
  let url: WebURL
  let connection: ServerConnection
  /// The initial access token, which some servers require (section 3); nil for none.
  let initialAccessToken: Secret?

  /// The reason why no client was registered.
  package enum Failure: Error, Sendable {
    /// The server does not register such a client: the login needs a client from elsewhere.
    case refused(why: String, wantsToken: Bool)
    /// The server is unavailable, or its response can't be used.
    case failed(AuthError)
  }

  /// The maximum number of requests for one login.
  static let attempts = 4
  private static let what = "registering a client"

  /// Registers a client. After a 400, retries with other metadata; sends at most four requests.
  ///
  /// - Parameter methods: `token_endpoint_auth_methods_supported` of the server's metadata.
  func register(
    _ first: RegistrationRequest, methods: [String]?, attempts: inout Int
  ) async throws(Failure) -> RegisteredClient {
    var request = first
    while true {
      attempts -= 1
      let response = try await send(request)
      if (200...299).contains(response.status) { return try client(response, asked: request) }
      let error = ErrorResponse(response)
      guard response.status == 400, !error.isDenied, attempts > 0,
        let next = request.changed(after: error, listed: methods)
      else { throw failure(response, error) }
      request = next
    }
  }

  private func send(_ request: RegistrationRequest) async throws(Failure) -> TransferResponse {
    do {
      var fields: HTTPFields = [.accept: "application/json", .contentType: "application/json"]
      if let initialAccessToken { fields[.authorization] = "Bearer \(initialAccessToken.exposed)" }
      let body = try JSONValue.object(request.members).text()
      var transfer = Transfer(method: .post, url: url, fields: fields, body: .bytes(Array(body.utf8)))
      transfer.isSentOnce = true
      return try await connection.send(transfer)
    } catch let error as ServerConnection.Unreachable {
      guard !error.isUnusable else { throw unusable(error.description) }
      throw .failed(
        .tryLater(error.explanation(ClientRegistration.what)))
    } catch {
      throw .failed(
        .failed(ClientRegistration.what, why: "the request can't be encoded", hint: "report this as a bug"))
    }
  }

  private func client(_ response: TransferResponse, asked: RegistrationRequest) throws(Failure) -> RegisteredClient {
    let document: JSONValue
    do {
      document = try JSONValue(parsing: response.body)
    } catch {
      throw unusable("the response is not JSON: \(response.outline())")
    }
    do throws(RegisteredClient.Unusable) {
      return try RegisteredClient(document, asked: asked, at: url, now: connection.now())
    } catch {
      throw unusable(error.reason)
    }
  }

  private func failure(_ response: TransferResponse, _ error: ErrorResponse) -> Failure {
    let why = "\(url) returned \(error.words)"
    switch response.status {
    case 300...399: return unusable("it returned a redirect, which a registration endpoint must not do")
    case let status where TransientStatus.meansUnavailable(status):
      return .failed(.tryLater(ClientRegistration.what, why: why, hint: "the server failed: log in again later"))
    default: return .refused(why: why, wantsToken: [401, 403].contains(response.status) || error.isDenied)
    }
  }

  private func unusable(_ why: String) -> Failure {
    .failed(
      .refused(
        ClientRegistration.what, why: "\(url): \(why)",
        hint: "the response was discarded; report this to the server's operator"))
  }
}

extension RegisteredClient {
  /// The reason why the response to a registration can't be used.
  struct Unusable: Error, Equatable {
    let reason: String
  }

  /// Reads the response to a registration (RFC 7591, section 3.2.1).
  ///
  /// - Parameters:
  ///   - asked: the request. The server may replace its values, but no redirect URI may be another one.
  ///   - endpoint: the registration endpoint, whose origin the registration's address must have.
  /// - Throws: ``Unusable``.
  init(_ document: JSONValue, asked: RegistrationRequest, at endpoint: WebURL, now: Date) throws(Unusable) {
    // RFC 6749, appendix A.1; a longer one fits no URL.
    guard let clientID = document["client_id"]?.string, clientID.isPrintableASCII, clientID.utf8.count <= 1024 else {
      throw Unusable(reason: "the response has no usable client_id")
    }
    self.clientID = clientID
    redirectURIs = try RegisteredClient.redirectURIs(document, asked: asked)
    let secret = document["client_secret"]?.string
    guard secret?.isPrintableASCII != false else { throw Unusable(reason: "the response has no usable client_secret") }
    authentication = try RegisteredClient.authentication(document, hasSecret: secret != nil, asked: asked)
    clientSecret = authentication.needsSecret ? secret.map { Secret($0) } : nil
    clientSecretExpiresAt = authentication.needsSecret ? RegisteredClient.expiry(document) : nil
    grantTypes = document["grant_types"]?.strings ?? asked.grantTypes
    scope = asked.scope
    management = Management(document, at: endpoint)
    guard !isExpired(at: now) else { throw Unusable(reason: "the client_secret in the response has expired") }
  }

  private static func redirectURIs(_ document: JSONValue, asked: RegistrationRequest) throws(Unusable) -> [RedirectURI]
  {
    let texts = document["redirect_uris"]?.strings ?? []
    let known = asked.redirectURIs
    guard !texts.isEmpty else {
      // The device flow needs none.
      guard asked.grantTypes.contains(Profile.deviceGrantType) else {
        throw Unusable(reason: "the response has no redirect_uris")
      }
      return known
    }
    for text in texts where !known.contains(where: { $0.string == text }) {
      throw Unusable(
        reason: "the response has a redirect URI that was not requested: \(Escaped.text(text, limit: 120))")
    }
    return known.filter { texts.contains($0.string) }
  }

  private static func authentication(
    _ document: JSONValue, hasSecret: Bool, asked: RegistrationRequest
  ) throws(Unusable) -> ClientAuthentication {
    guard let text = document["token_endpoint_auth_method"]?.string else {
      return hasSecret ? asked.authentication == .none ? .basic : asked.authentication : .none
    }
    guard let method = ClientAuthentication(rawValue: text), method == .none || method.needsSecret else {
      throw Unusable(reason: "the server requires the client authentication \(Escaped.text(text, limit: 80))")
    }
    guard hasSecret || !method.needsSecret else {
      throw Unusable(reason: "the response requires \(method.rawValue), but has no client_secret")
    }
    return method
  }

  /// Reads `client_secret_expires_at`; 0 means never.
  private static func expiry(_ document: JSONValue) -> Date? {
    guard let seconds = document["client_secret_expires_at"]?.lenientNumber, seconds > 0 else { return nil }
    return Date(timeIntervalSince1970: seconds)
  }
}

extension RegisteredClient.Management {
  /// Reads the address and the token from a response; nil if one is missing, or another origin would get the token.
  fileprivate init?(_ document: JSONValue, at endpoint: WebURL) {
    guard let token = document["registration_access_token"]?.string, token.isVisibleASCII, !token.isEmpty,
      let url = document["registration_client_uri"]?.string.flatMap({ try? WebURL($0) }), url.origin == endpoint.origin
    else { return nil }
    self.init(url: url, token: Secret(token))
  }
}

extension RegisteredClient {
  /// Returns the client with what the server has changed since the registration (RFC 7592, section 3).
  func updated(by document: JSONValue) -> RegisteredClient {
    var client = self
    guard let management, document["client_id"]?.string == clientID else { return client }
    if authentication.needsSecret, let secret = document["client_secret"]?.string, secret.isPrintableASCII {
      client.clientSecret = Secret(secret)
      client.clientSecretExpiresAt = RegisteredClient.expiry(document)
    }
    client.management = Management(document, at: management.url) ?? management
    return client
  }
}

extension String {
  /// Whether the text can be a client ID or secret (RFC 6749, appendix A): not empty, printable ASCII.
  fileprivate var isPrintableASCII: Bool { !isEmpty && utf8.allSatisfy { (0x20...0x7E).contains($0) } }
}

extension ErrorResponse {
  /// Whether the server registers no client without a token; canaille returns this with 400.
  fileprivate var isDenied: Bool { error == "access_denied" }
}
