/// The client metadata in a registration request (RFC 7591, section 2), with variants to send after a refusal.
package struct RegistrationRequest: Sendable, Equatable {
  /// The redirect URIs, from the preferred to the last resort.
  enum Redirects: Sendable, Equatable {
    /// Without a port, and on each fixed port.
    case all
    /// On the fixed ports only.
    case portsOnly
    /// On the fixed ports of `localhost`.
    case localhost
  }

  /// `client_name`: the program's name, which the server shows to the user.
  let clientName: String
  private let standard: [RedirectURI]
  private let isStated: Bool
  private(set) var redirects = Redirects.all
  /// `grant_types`: that of the login first.
  private(set) var grantTypes: [String]
  /// The scopes of the login.
  let scope: [String]
  private(set) var sendsScope = true
  /// `token_endpoint_auth_method`: a public client is preferred, whatever the server's metadata lists.
  private(set) var authentication = ClientAuthentication.none

  /// Creates the first request for a login.
  ///
  /// - Parameters:
  ///   - name: the program's name, which the server shows to the user.
  ///   - ports: the fixed ports, unless the profile states redirect URIs of its own.
  package init(_ profile: Profile, flow: Flow, name: String, ports: [Int]) {
    clientName = name
    isStated = profile.redirectURI != [.standard]
    standard = isStated ? profile.redirectURI : RedirectURI.registered(on: ports)
    scope = profile.scope
    // Some servers register one grant besides the refresh token's.
    grantTypes = [flow.registeredGrantType, "refresh_token"]
  }

  /// Creates the metadata of a client that every server may read at its client ID.
  package init(name: String, ports: [Int]) {
    clientName = name
    isStated = false
    standard = RedirectURI.registered(on: ports)
    scope = []
    grantTypes = ["authorization_code", "refresh_token", Flow.device.registeredGrantType]
  }

  /// `redirect_uris`
  package var redirectURIs: [RedirectURI] {
    switch redirects {
    case .all: standard
    case .portsOnly: standard.filter { $0.port != nil }
    case .localhost: standard.filter { $0.port != nil }.map(\.onLocalhost)
    }
  }

  /// The members of the request's JSON object.
  package var members: [String: JSONValue] {
    var members: [String: JSONValue] = [
      "client_name": .string(clientName), "application_type": .string("native"),
      "redirect_uris": .array(redirectURIs.map { .string($0.string) }),
      "grant_types": .array(grantTypes.map { .string($0) }),
      // RFC 7591, section 2.1: other grants have no response type.
      "response_types": .array(grantTypes.contains(Flow.browser.registeredGrantType) ? [.string("code")] : []),
      "token_endpoint_auth_method": .string(authentication.rawValue),
    ]
    if sendsScope, !scope.isEmpty { members["scope"] = .string(scope.joined(separator: " ")) }
    return members
  }

  /// Returns the request to send after a 400: without the value that the server refuses, else the next variant.
  ///
  /// - Parameter listed: `token_endpoint_auth_methods_supported` of the server's metadata.
  /// - Returns: nil if there is nothing left to change.
  func changed(after error: ErrorResponse, listed: [String]?) -> RegistrationRequest? {
    let complaint = "\(error.error ?? "") \(error.errorDescription ?? "")".lowercased()
    var next = self
    if complaint.contains(bytes: "scope"), sendsScope, !scope.isEmpty {
      next.sendsScope = false
      return next
    }
    if complaint.contains(bytes: "grant"), grantTypes.count > 1 {
      next.grantTypes = [grantTypes[0]]
      return next
    }
    let isAboutMethod = complaint.contains(bytes: "auth_method") || complaint.contains(bytes: "authentication method")
    if !isAboutMethod, let redirects = nextRedirects {
      next.redirects = redirects
      return next
    }
    guard authentication == .none, let method = RegistrationRequest.firstMethod(listed) else { return nil }
    next.authentication = method
    // The error does not suggest that the server requires another host.
    if !complaint.contains(bytes: "redirect"), redirects == .localhost { next.redirects = .portsOnly }
    return next
  }

  /// Returns the request for a client with a secret; nil if the server lists no method that uses one.
  func withSecret(listed: [String]?) -> RegistrationRequest? {
    guard authentication == .none, let method = RegistrationRequest.firstMethod(listed) else { return nil }
    var next = self
    next.authentication = method
    return next
  }

  private var nextRedirects: Redirects? {
    guard !isStated else { return nil }
    return switch redirects {
    case .all: .portsOnly
    case .portsOnly: .localhost
    case .localhost: nil
    }
  }

  /// Returns the first listed method with a secret; the default is that of RFC 8414, section 2.
  private static func firstMethod(_ listed: [String]?) -> ClientAuthentication? {
    (listed ?? [ClientAuthentication.basic.rawValue]).lazy.compactMap { ClientAuthentication(rawValue: $0) }
      .first { $0.needsSecret }
  }
}
