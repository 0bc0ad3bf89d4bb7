/// A server with custom requests: the settings that only a profile with `type = "custom"` has.
package struct CustomServer: Sendable, Equatable {
  /// The base URL for the `url` of a request that has no scheme.
  package var base: WebURL?
  /// The origins of `base` and `[endpoints]`: no request is sent to any other origin.
  package var origins: Set<Origin> = []
  /// The requests by their names.
  package var requests: [String: CustomRequest] = [:]
  /// The locations of the values in the responses.
  package var response = ResponsePointers()
  /// The placeholders that are prompted for without echo and never given as an argument; always includes `password`.
  package var secrets: Set<String> = ["password"]
  /// The request that a login sends.
  package var flow = "login"

  /// The name of the refresh request.
  package static let refreshName = "refresh"
  /// The name of the revocation request.
  package static let revokeName = "revoke"
  /// The login without a request: its tokens are obtained elsewhere.
  static let tokenFlow = Flow.token.rawValue

  /// Creates a server without requests.
  package init() {}

  /// The refresh request; nil if there is none.
  package var refresh: CustomRequest? { requests[CustomServer.refreshName] }

  /// The revocation request; nil if there is none.
  package var revoke: CustomRequest? { requests[CustomServer.revokeName] }

  /// The names that `login --flow` accepts.
  package var flows: [String] {
    requests.keys.filter { $0 != CustomServer.refreshName && $0 != CustomServer.revokeName }.sorted()
  }

  /// Whether a login reads tokens that were obtained elsewhere, instead of sending a request.
  package var takesTokens: Bool { flow == CustomServer.tokenFlow && requests[flow] == nil }

  /// Puts the parts of each multipart body into the order of the names that a closure returns for its request.
  mutating func arrangeParts(_ names: (_ request: String) -> [String]) {
    for (name, request) in requests {
      guard case .multipart(let template) = request.body else { continue }
      requests[name]?.body = .multipart(template.arranged(names(name)))
    }
  }

  /// Returns the request of a login.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if there is no request with that name.
  package func loginRequest(of profile: ProfileName) throws(AuthError) -> CustomRequest {
    if flows.contains(flow), let request = requests[flow] { return request }
    throw .usage(
      "profile \(profile)", why: "it has no request '\(Escaped.text(flow, limit: 80))' to log in with",
      hint: NearestName.hint(for: flow, among: flows + [CustomServer.tokenFlow], title: "known"))
  }

  /// The hint if the server refuses the client of a refresh.
  static let refreshHint = "check [requests.refresh] in the profile"

  /// Why the tokens of a server can't be refreshed.
  static let missingRefresh = "the profile has no [requests.refresh]"

  /// Returns the description of this server that is stored with a pair.
  ///
  /// - Parameter origin: the origin of the request that obtained the pair, or would refresh it; nil if there is none.
  func record(_ origin: Origin?) -> TokenPair.Server {
    // The origin only: a path may contain a value from the user.
    var record = TokenPair.Server(
      issuer: nil, clientID: "", tokenEndpoint: origin.map { $0.string + "/" }, revocationEndpoint: nil)
    record.origins = origins.map(\.string).sorted()
    return record
  }
}
