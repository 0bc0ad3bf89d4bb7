import AuthCore
import SystemPackage

extension Command {
  static let profileShow = Command(
    name: "profile show", summary: "show a profile's effective settings and check them",
    operands: [ProfileOperand.optional], manual: Manual(PackageResources.profile_show_md),
    options: [ProfileShowOptions.all, ProfileShowOptions.offline, ProfileShowOptions.request, .json])
}

extension RunnableCommand {
  static let profileShow = RunnableCommand(.profileShow, ProfileShowArguments.init) { arguments, context in
    let profile = try ProfileChoice(context, requiringFiles: false).profile(arguments.profile)
    if arguments.showsRequests { try ProfileShowOptions.checkRequests(of: profile, context) }
    let file = context.profiles.file(of: profile.name).string
    let text = try context.profiles.text(of: profile.name) ?? ""
    let outline = try ProfileOutline(toml: text, file: file, name: profile.name)
    let log = VerboseLog(context, tokenField: profile.header.name)
    let report = arguments.isOffline ? nil : try await context.server(profile, log).discoveryReport()
    let (clientID, finding) = await ProfileShowOptions.clientID(of: profile, context)
    let overview = ProfileOverview(outline, report, clientID: clientID)
    let findings =
      ProfileChecks(
        file: file, absolute: context.profiles.paths, credentials: context.credentials, outline: outline,
        overview: overview, report: report
      ).findings + finding
    var login: LoginOutline?
    if arguments.showsRequests {
      login = try await ProfileShowOptions.outline(of: profile, report, clientID: clientID, context)
    }
    if context.verbosity.printsJSON {
      var members: [String: JSONValue] = [
        "profile": .string(profile.name.string), "file": .string(file),
        "type": .string(overview.string("type") ?? ""), "settings": overview.json(overview.settings),
        "endpoints": overview.json(overview.endpoints, dropping: "endpoints."),
        "discovery": ProfileShowOptions.json(report), "findings": .array(findings.map(\.json)),
      ]
      members["requests"] = login?.json
      try context.console.write(try JSONValue.object(members).text() + "\n")
    } else {
      let layout = ProfileLayout(
        showsDefaults: arguments.showsDefaults, colour: context.verbosity.colour.output,
        width: context.console.terminals.output ? context.console.columns : nil)
      let heading = "\(profile.name): \(file)\n"
      try context.console.write(
        heading + layout.text(overview) + layout.text(report) + (login.map { layout.text($0) } ?? "")
          + layout.text(findings))
    }
    return findings.filter { $0.level == .error }.map(\.status).worst
  }
}

/// The options of `profile show`, and the output of discovery results.
enum ProfileShowOptions {
  static let all = Option("all", summary: "show the defaults, too")

  static let offline = Option("offline", summary: "do not request the server's metadata")

  static let request = Option("request", summary: "show the requests that a login would send, without sending them")

  /// Checks that a login to a profile sends requests that the profile does not state word for word.
  ///
  /// - Throws: ``AuthError/usage(_:)``.
  static func checkRequests(of profile: Profile, _ context: Context) throws(AuthError) {
    guard profile.type != .oauth2 || profile.flow == .token else { return }
    let why =
      profile.type == .custom
      ? "a profile of type custom states its requests itself" : "a login to this profile sends no request"
    throw .usage("--request", why: why, hint: "see \(context.profiles.file(of: profile.name))")
  }

  /// Describes the requests of a login.
  static func outline(
    of profile: Profile, _ report: DiscoveryReport?, clientID: String?, _ context: Context
  ) async throws(AuthError) -> LoginOutline {
    var server = context.server(profile, events: { _ in })
    if profile.lacksClient { server = server.with(clientID: clientID ?? "‹client ID›") }
    let redirectURI = profile.redirectURI.first ?? .standard
    let shown = redirectURI.port == nil ? redirectURI.string.withPort : redirectURI.string
    return try await Login(server.withNewKey(), metadata: report?.metadata, clientSecret: nil)
      .outline(of: profile.flow, redirectURI: shown, random: context.random)
  }

  /// Returns the client ID that is only in the keyring, or a finding if the keyring can't be read.
  static func clientID(of profile: Profile, _ context: Context) async -> (String?, [ProfileFinding]) {
    do throws(AuthError) {
      return (try await context.clientID(of: profile), [])
    } catch {
      return (nil, [.warning("client_id", "not in the file; \(error.description)", hint: error.explanation.hint)])
    }
  }

  /// Returns the discovery results as JSON; null if the server was not requested.
  static func json(_ report: DiscoveryReport?) -> JSONValue {
    guard let report else { return .null }
    return .object([
      "documents": .array(report.documents.map { .string($0.url.description) }),
      "misses": .array(
        report.misses.map { .object(["url": .string($0.url.description), "reason": .string($0.reason)]) }),
    ])
  }
}

/// The command line of `profile show`.
struct ProfileShowArguments: Sendable {
  /// The profile to show.
  let profile: ProfileSelection
  /// Whether the settings that neither the file nor the server states are shown, too.
  let showsDefaults: Bool
  /// Whether the server's metadata is not requested.
  let isOffline: Bool
  /// Whether the requests of a login are shown.
  let showsRequests: Bool

  /// - Throws: ``AuthError/usage(_:)``.
  init(_ invocation: Invocation) throws(AuthError) {
    profile = try ProfileSelection(invocation)
    showsDefaults = invocation.has(ProfileShowOptions.all)
    isOffline = invocation.has(ProfileShowOptions.offline)
    showsRequests = invocation.has(ProfileShowOptions.request)
  }
}

extension String {
  /// A redirect URI on loopback with a placeholder for the port of the listener.
  fileprivate var withPort: String {
    guard let rest = dropping(prefix: "http://") else { return self }
    let authority = rest.prefix(upToAny: "/")
    return "http://\(authority):‹port›" + rest[authority.endIndex...]
  }
}

extension LoginOutline {
  /// The requests as JSON.
  var json: JSONValue {
    .array(
      requests.map { request in
        .object([
          "sender": .string(request.isFromBrowser ? "browser" : "authctl"),
          "method": .string(request.isFromBrowser ? "GET" : "POST"), "url": .string(request.url.string),
          "authorization": request.authorization.map { .string($0) } ?? .null,
          "parameters": .array(
            zip(request.names, request.values).map { .object(["name": .string($0), "value": .string($1)]) }),
        ])
      })
  }
}
