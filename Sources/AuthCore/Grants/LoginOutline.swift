import HTTPTypes
import Synchronization

/// The requests of a login, described without sending one. Values that are known only at the login are placeholders in
/// angle quotes: `‹code›`.
package struct LoginOutline: Sendable, Equatable {
  /// A request, as it would be sent.
  package struct Request: Sendable, Equatable {
    /// Whether the browser sends it.
    package let isFromBrowser: Bool
    /// The endpoint.
    package let url: WebURL
    /// The value of the `Authorization` header field; nil if it is not sent.
    package var authorization: String?
    /// The names of the parameters in the URL or the form, in their order.
    package let names: [String]
    /// The values of the parameters. Secrets that the profile contains are redacted.
    package let values: [String]
  }

  /// The requests in the order in which they are sent.
  package fileprivate(set) var requests: [Request] = []

  /// Describes a request.
  fileprivate mutating func add(_ url: WebURL, _ fields: [(name: String, value: String)], isFromBrowser: Bool = false) {
    requests.append(
      Request(
        isFromBrowser: isFromBrowser, url: url, names: fields.map(\.name),
        values: fields.map { LoginOutline.shown($0.value, of: $0.name) }))
  }

  /// Describes a request that was recorded.
  fileprivate mutating func add(_ transfer: Transfer, _ further: [(name: String, value: String)]) {
    guard case .bytes(let body)? = transfer.body else { return }
    add(transfer.url, FormEncoding.decode(String(decoding: body, as: UTF8.self)) + further)
    if transfer.fields[.authorization] != nil {
      requests[requests.count - 1].authorization = "Basic ‹client ID and secret›"
    }
  }

  private static func shown(_ value: String, of name: String) -> String {
    switch name {
    case "state", "nonce", "code_verifier": "‹random›"
    case "code_challenge": "‹SHA-256 of code_verifier›"
    case "dpop_jkt": "‹thumbprint of a new key›"
    case _ where SecretNames.isSecret(name) && !value.starts(withBytes: "‹"): "\(Secret(value))"
    default: value
    }
  }
}

/// A transport that sends nothing and records what it should send.
private final class RequestRecorder: HTTPTransport {
  private let transfers = Mutex<[Transfer]>([])
  var recorded: [Transfer] { transfers.withLock(\.self) }

  func send(_ transfer: Transfer) async throws -> TransferResponse {
    transfers.withLock { $0.append(transfer) }
    throw TransportError.unusable(detail: "the request is described and not sent")
  }
}

extension Login {
  /// Describes the requests of a login by the functions that would send them.
  ///
  /// - Parameter redirectURI: the redirect URI in the browser flow.
  /// - Throws: ``AuthError/refused(_:)`` if an endpoint is missing.
  package func outline(of flow: Flow, redirectURI: String, random: RandomText) async throws(AuthError) -> LoginOutline {
    var outline = LoginOutline()
    let isSigned = [.secretJWT, .privateKeyJWT].contains(profile.clientAuthentication)
    let assertion = [
      (name: "client_assertion_type", value: OAuthClient.assertionType),
      (name: "client_assertion", value: "‹JWT signed by the client›"),
    ]
    func record(_ send: (Login) async throws(AuthError) -> Void) async throws(AuthError) {
      let recorder = RequestRecorder()
      let login = Login(
        server.described(by: recorder, isSigned: isSigned), metadata: metadata,
        clientSecret: Secret("‹client secret›"))
      do throws(AuthError) {
        try await send(login)
      } catch {
        // Each recorded request fails.
        guard !recorder.recorded.isEmpty else { throw error }
      }
      for transfer in recorder.recorded { outline.add(transfer, isSigned ? assertion : []) }
    }
    switch flow {
    case .browser:
      let request = try authorizationRequest(redirectURI: redirectURI, random: random)
      try await record { login throws(AuthError) in _ = try await login.pushed(request) }
      let isPushed = !outline.requests.isEmpty
      let reference = [
        ("client_id", profile.clientID), ("response_type", "code"), ("request_uri", "‹from the response›"),
      ]
      outline.add(request.endpoint, isPushed ? reference : request.fields, isFromBrowser: true)
      try await record { login throws(AuthError) in _ = try await login.exchange(Secret("‹code›"), of: request) }
    case .device:
      try await record { login throws(AuthError) in _ = try await login.deviceAuthorization() }
      let grant = [("grant_type", Profile.deviceGrantType), ("device_code", "‹from the response›")]
      try await record { login throws(AuthError) in _ = try await login.ask(grant) }
    case .password:
      let username = profile.username ?? "‹user name›"
      try await record { login throws(AuthError) in
        _ = try await login.password(username: username, password: Secret("‹password›"))
      }
    case .clientCredentials:
      try await record { login throws(AuthError) in _ = try await login.clientCredentials() }
    case .jwtBearer where profile.subjectToken.source != nil, .tokenExchange where profile.subjectToken.source != nil:
      try await record { login throws(AuthError) in
        _ = try await login.exchange(ofWorkload: Secret("‹subject token›"))
      }
    case .jwtBearer:
      try await record { login throws(AuthError) in
        _ = try await login.jwtBearer(assertion: Secret("‹JWT signed by the client›"))
      }
    case .tokenExchange:
      let type = TokenExchange.typeURN("access_token") ?? ""
      try await record { login throws(AuthError) in
        _ = try await login.exchange(TokenExchange(subject: .init(Secret("‹subject token›"), type: type)))
      }
    case .token: break
    }
    return outline
  }
}

extension AuthorizationServer {
  /// Returns the same server, reached by a transport that records requests.
  ///
  /// - Parameter isSigned: whether the client signs an assertion, which is then left out.
  fileprivate func described(by recorder: RequestRecorder, isSigned: Bool) -> AuthorizationServer {
    var connection = connection
    connection.transport = recorder
    connection.events = { _ in }
    var profile = profile
    if isSigned { profile.clientAuthentication = .none }
    return with(profile: profile, connection: connection)
  }
}
