import AuthCore
import Synchronization

/// Where the requests of a proxy go: to one API, or to that of the profile in the first segment of their path.
final class GatewayRoutes: Sendable {
  /// What the command line names.
  enum Choice: Sendable {
    /// The only `api` of a profile.
    case profile(ProfileSelection)
    /// An address at an API.
    case address(WebURL, ProfileSelection)
    /// The only `api` of each of several profiles.
    case profiles([ProfileName])

    /// Reads the operands of a command line.
    ///
    /// - Throws: ``AuthError/usage(_:)``.
    init(_ operands: [String], _ invocation: Invocation) throws(AuthError) {
      let address = operands.first { $0.contains(bytes: "://") }
      guard let address else {
        let selection = try ProfileSelection(invocation, operands: operands)
        self = selection.operands.count > 1 ? .profiles(selection.operands) : .profile(selection)
        return
      }
      guard operands.count == 1 else {
        throw .usage(Escaped.text(address), why: "it is not the only argument", hint: "name one URL, or profiles")
      }
      let url = try CallTarget.url(address)
      guard url.query == nil else {
        throw .usage(Escaped.text(address), why: "it has a query", hint: "paths are appended to it: use one without ?")
      }
      self = .address(url, try ProfileSelection(invocation, operands: []))
    }
  }

  private let choice: Choice
  private let allowances: [GatewayAllowance]
  private let given: Secret?
  private let transport: any HTTPTransport
  private let context: Context
  private let state: Mutex<[GatewayRoute]>

  /// Reads the profiles.
  ///
  /// - Parameters:
  ///   - allowances: the requests that pass; empty for all.
  ///   - given: a token that is used instead of the profile's.
  /// - Throws: ``AuthError/usage(_:)`` if there is no such profile, ``AuthError/origin(_:)`` if the address is none of
  ///   the profile's.
  init(
    _ choice: Choice, _ allowances: [GatewayAllowance], given: Secret? = nil, _ context: Context
  ) throws(AuthError) {
    self.choice = choice
    self.allowances = allowances
    self.given = given
    self.context = context
    transport = context.transport()
    state = Mutex([])
    try reread()
  }

  /// Whether the command line names the address, which then is an address of requests itself.
  private var isAddress: Bool { if case .address = choice { true } else { false } }

  /// The names of the profiles.
  var profiles: [String] { state.withLock { $0.compactMap { $0.target.profile?.name.string } } }

  /// The sources of the tokens.
  var credentials: [CallTarget.Credential] { state.withLock { $0.map(\.target.credential) } }

  /// Reads the profiles again, for later requests.
  ///
  /// - Throws: ``AuthError`` if one can't be used; then all stay as they were.
  func reread() throws(AuthError) {
    let routes = try routes()
    state.withLock { $0 = routes }
  }

  /// Returns the route of a request, with the path below its API; nil if the path names no profile.
  func route(for passed: GatewayRules.Passed) -> (GatewayRoute, GatewayRules.Passed)? {
    for route in state.withLock(\.self) {
      guard let rest = passed.target.dropping(prefix: route.folder),
        rest.isEmpty || rest.starts(withBytes: "/") || rest.starts(withBytes: "?")
      else { continue }
      var passed = passed
      passed.prefix += route.folder
      // A client that has the key in a field can't write the address of the API without a slash.
      let isRoot = isAddress && passed.prefix.isEmpty && rest.prefix(upToAny: "?").isEqual(toBytes: "/")
      passed.target = String(isRoot ? rest.dropping(prefix: "/") ?? rest : rest)
      return (route, passed)
    }
    return nil
  }

  private func routes() throws(AuthError) -> [GatewayRoute] {
    let senders = SenderPool(context, .none, transport: transport, reuse: GatewayRoute.reuse, isForOthers: true)
    let profiles = ProfileChoice(context)
    func route(to url: WebURL, of profile: Profile, folder: String = "") throws(AuthError) -> GatewayRoute {
      let target = try CallTarget(url, of: profile, given: given)
      return GatewayRoute(target, folder: folder, allowances, senders)
    }
    switch choice {
    case .address(let url, let selection):
      return [try route(to: url, of: profiles.profile(selection, holding: url))]
    case .profile(let selection):
      let profile = try profiles.profile(forPathOf: selection)
      return [try route(to: GatewayRoutes.api(of: profile), of: profile)]
    case .profiles(let names):
      return try names.map { name throws(AuthError) in
        let profile = try profiles.profile(named: name)
        return try route(to: GatewayRoutes.api(of: profile), of: profile, folder: "/\(name)")
      }
    }
  }

  private static func api(of profile: Profile) throws(AuthError) -> WebURL {
    guard let url = profile.api.first, profile.api.count == 1 else {
      throw .usage(
        "profile \(profile.name)",
        why: profile.api.isEmpty ? "it has no api" : "it has more than one api",
        hint: profile.api.isEmpty
          ? "to add one: \(LoginAddress.command(adding: nil, to: profile.name))"
          : "name one of them instead of the profile: \(profile.api[0])")
    }
    return url
  }
}

/// One API behind a proxy.
struct GatewayRoute: Sendable {
  /// The time for which a token is used without reading the store: a login or a logout elsewhere is seen after it.
  static let reuse = Duration.seconds(1)
  /// The validity of a token for a request that can't be sent again.
  private static let unrepeatable = Duration.seconds(60)

  /// The API, and the source of its token.
  let target: CallTarget
  /// What precedes the path at the API, after the key: `/NAME` for one of several profiles, else nothing.
  let folder: String
  /// Translates addresses and header fields.
  let fields: GatewayFields
  /// Sends requests.
  let sender: AuthorizedSender
  /// Sends requests whose body can't be kept.
  let lastingSender: AuthorizedSender
  /// The connection settings of the profile, without its limit: a request takes as long as its client wants.
  let network: NetworkOptions

  fileprivate init(
    _ target: CallTarget, folder: String, _ allowances: [GatewayAllowance], _ senders: SenderPool
  ) {
    self.target = target
    self.folder = folder
    sender = senders.sender(target)
    lastingSender = senders.sender(target, validFor: GatewayRoute.unrepeatable)
    fields = GatewayFields(
      base: GatewayBase(url: target.url), tokenField: target.tokenField, allowances: allowances, folder: folder)
    var network = target.profile?.network ?? NetworkOptions()
    network.timeout = nil
    self.network = network
  }
}
