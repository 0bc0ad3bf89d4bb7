import AuthCore

/// Asks the authorization endpoint, once, what it refuses: a browser that does not return may show an error page.
actor AuthorizationQuestion {
  /// What the server refuses.
  struct Refusal: Sendable, Equatable {
    /// The reason, with the redirect URI and the client.
    let why: String
    /// How to fix it.
    let hint: String
    /// Whether the server has refused the request itself, and not failed.
    let isCertain: Bool
  }

  private let login: Login
  private let request: AuthorizationRequest
  private let profile: Profile
  private let context: Context
  private var isAsked = false
  private var refusal: Refusal?

  /// - Parameter request: the request of the waiting browser.
  init(_ login: Login, _ request: AuthorizationRequest, _ profile: Profile, _ context: Context) {
    self.login = login
    self.request = request
    self.profile = profile
    self.context = context
  }

  /// Returns what the server refuses; nil if it refuses nothing, or its response is not known.
  ///
  /// The request has a state of its own. None is sent for a pushed request, which the server has accepted already.
  func answer() async -> Refusal? {
    guard !isAsked, !request.isPushed else { return refusal }
    isAsked = true
    let quiet = login.unattended
    // Its endpoint is known: the browser has the same.
    guard
      let own = try? quiet.authorizationRequest(redirectURI: request.redirectURI, random: context.random),
      case .failure(let status)? = await quiet.unattendedResponse(to: own)
    else { return nil }
    let (server, uri) = (profile.serverName, request.redirectURI)
    let client = Escaped.text(profile.clientID, limit: 80)
    refusal =
      status == 400
      ? Refusal(
        why: "\(server) refuses \(uri) for client \(client) (\(status))",
        hint: "register it, or use --redirect-uri URI", isCertain: true)
      : Refusal(
        why: "\(server) returned \(status) for \(uri) and client \(client)",
        hint: "see the server's page, and check both values", isCertain: false)
    return refusal
  }
}
