/// A server with requests of its own: what a profile of `type = "custom"` says beyond the settings of every profile.
package struct CustomServer: Sendable, Equatable {
  /// What the `url` of a request is appended to, where it has no scheme.
  package var base: WebURL?
  /// The origins of `base` and `[endpoints]`: no request goes anywhere else.
  package var origins: Set<Origin> = []
  /// The requests by their names.
  package var requests: [String: CustomRequest] = [:]
  /// Where the responses hold what.
  package var response = ResponsePointers()
  /// The placeholders that are asked for without echo and never given as an argument; `password` is always one.
  package var secrets: Set<String> = ["password"]
  /// The request that a login sends.
  package var flow = "login"

  /// The name of the request that renews.
  package static let refreshName = "refresh"
  /// The name of the request that ends a session at the server.
  package static let revokeName = "revoke"
  /// The login without a request: its tokens come from elsewhere.
  static let tokenFlow = Flow.token.rawValue

  /// Describes a server that has no requests yet.
  package init() {}

  /// The request that renews, where there is one.
  package var refresh: CustomRequest? { requests[CustomServer.refreshName] }

  /// The request that ends a session at the server, where there is one.
  package var revoke: CustomRequest? { requests[CustomServer.revokeName] }

  /// The names that `login --flow` takes.
  package var flows: [String] {
    requests.keys.filter { $0 != CustomServer.refreshName && $0 != CustomServer.revokeName }.sorted()
  }

  /// Whether a login takes tokens that were obtained elsewhere, instead of sending a request.
  package var takesTokens: Bool { flow == CustomServer.tokenFlow && requests[flow] == nil }

  /// The request of a login.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where there is none of that name.
  package func loginRequest(of profile: ProfileName) throws(AuthError) -> CustomRequest {
    if flows.contains(flow), let request = requests[flow] { return request }
    throw .usage(
      .init(
        "profile \(profile)", why: "it has no request '\(Escaped.text(flow, limit: 80))' to log in with",
        hint: NearestName.hint(for: flow, among: flows + [CustomServer.tokenFlow], title: "known")))
  }

  /// What is stored with a pair about where it came from.
  ///
  /// - Parameter origin: that of the request which got it, or would renew it; nil if there is none.
  func record(_ origin: Origin?) -> TokenPair.Server {
    // The origin only: a path may hold a value that was given.
    var record = TokenPair.Server(
      issuer: nil, clientID: "", tokenEndpoint: origin.map { $0.string + "/" }, revocationEndpoint: nil)
    record.origins = origins.map(\.string).sorted()
    return record
  }
}
