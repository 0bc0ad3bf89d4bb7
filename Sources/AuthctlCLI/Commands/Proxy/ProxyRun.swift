import AuthCore
import Dispatch
import HTTPServer
import SystemPackage

/// One run of `proxy`: until a signal ends it, it passes requests on.
struct ProxyRun: Sendable {
  /// How long requests that run may take after a signal.
  private static let grace = Duration.seconds(10)
  /// The time for which a token is used without reading the store: a login or a logout elsewhere is seen after it.
  private static let reuse = Duration.seconds(1)

  private let arguments: ProxyArguments
  private let context: Context

  init(_ arguments: ProxyArguments, _ context: Context) {
    self.arguments = arguments
    self.context = context
  }

  /// Listens, and prints the address.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if there is no such profile or key, ``AuthError/origin(_:)`` if the address is
  ///   none of the profile's, ``AuthError/tryLater(_:)`` if the port is in use.
  func run() async throws -> ExitStatus {
    let target = try target()
    let given = try arguments.key.map { text throws(AuthError) in
      try GatewayKey(SecretFile(text, what: "the key", credentials: context.credentials))
    }
    let listener = try GatewayListener(arguments.place, isForOthers: arguments.users.count > 1)
    let made = given == nil && listener.hosts != nil ? GatewayKey(random: context.random) : nil
    let rules = GatewayRules(
      key: given ?? made, hosts: listener.hosts, users: arguments.users,
      origins: arguments.origins, allowances: arguments.allowances)
    let senders = SenderPool(context, .none, reuse: ProxyRun.reuse, isForOthers: true)
    let gateway = Gateway(
      target, rules: rules, replayBuffer: arguments.replayBuffer, senders.sender(target), context)
    let server = HTTPServer([listener.socket]) { await gateway.answer($0) }
    // A connection to the client, one to the API, and a body that is kept.
    ListeningSocket.allowFiles(3 * ServerLimits().connections + 500)
    try await server.start()
    try context.console.write(listener.address + (made.map { "/" + $0.text.exposed } ?? "") + "\n")
    await stopped()
    // Before the server stops: a proxy that is started then has a file of its own there.
    listener.remove()
    await server.stop(grace: ProxyRun.grace)
    await context.refreshes.finish()
    return .ok
  }

  private func target() throws(AuthError) -> CallTarget {
    let choice = ProfileChoice(context)
    if let url = arguments.address {
      return try CallTarget(url, of: try choice.profile(arguments.profile, holding: url))
    }
    let profile = try choice.profile(forPathOf: arguments.profile)
    guard let url = profile.api.first, profile.api.count == 1 else {
      throw .usage(
        "profile \(profile.name)",
        why: profile.api.isEmpty ? "it has no api" : "it has more than one api",
        hint: profile.api.isEmpty
          ? "to add one: \(LoginAddress.command(adding: nil, to: profile.name))"
          : "name one: authctl proxy -p \(profile.name) \(profile.api[0])")
    }
    return try CallTarget(url, of: profile)
  }

  /// Waits for a signal, or until the task is cancelled.
  private func stopped() async {
    let (signals, signal) = AsyncStream.makeStream(of: Void.self)
    context.beforeInterruption {
      signal.yield()
      // The process ends when the requests have; another signal ends it at once.
      DispatchSemaphore(value: 0).wait()
    }
    for await _ in signals { return }
  }
}
