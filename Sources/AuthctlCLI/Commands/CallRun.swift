import AuthCore
import HTTPTypes

/// One run of `call`.
struct CallRun: Sendable {
  private let invocation: Invocation
  private let context: Context
  private let settings: Settings

  init(_ invocation: Invocation, _ context: Context) {
    self.invocation = invocation
    self.context = context
    settings = Settings(invocation, context)
  }

  func run() async throws -> ExitStatus {
    let (prepared, preparation) = AsyncStream<Never>.makeStream()
    prepare { preparation.finish() }
    let transport = context.transport()
    let target = try CallTarget(invocation, context)
    let fields = try RequestFields(invocation, tokenField: target.tokenField, isProven: target.isProven)
    let body = try CallBody(invocation, context).body()
    var transfer = Transfer(
      method: try method(hasBody: body != nil), url: target.url, fields: fields.fields, body: body)
    transfer.withheldFields = fields.withheld
    transfer.network = try network(of: target.profile)
    let trace = Trace(settings, context, tokenField: target.tokenField)
    transfer.trace = trace.wire
    let output = CallOutput(invocation, context)
    transfer.destination = { answer in try output.begin(answer) }
    let answer: HTTPAnswer
    for await _ in prepared {}
    do {
      answer = try await sender(transport, target, trace).send(transfer, redirects: redirects)
      try output.end(answer)
    } catch {
      throw explained(error, target)
    }
    guard answer.status >= 400, !invocation.has(CallOptions.noFail) else { return .ok }
    throw CLIError.http(
      .init(
        "\(transfer.method.rawValue) \(target.url)", why: "the API answers \(answer.status)",
        hint: CallRun.hint(answer.status, target)))
  }

  /// A password can't be renewed: where it is refused, a person must give another one.
  private static func hint(_ status: Int, _ target: CallTarget) -> String {
    if status == 401, case .session(let profile) = target.credential, profile.type == .basic {
      return "the API refuses the user name or the password: authctl login \(profile.name)"
    }
    return "the body says more; --no-fail makes the status 0"
  }

  /// Begins to connect to the keyring and, when that stands, to load what sends requests: the other way round, loading
  /// would hold up the threads that the keyring needs.
  private func prepare(_ done: @escaping @Sendable () -> Void) {
    let begin: @Sendable () -> Void = {
      context.prepareTransport()
      done()
    }
    let needsSecrets = !invocation.has(CallOptions.noAuth) && context.variable("AUTHCTL_ACCESS_TOKEN") == nil
    needsSecrets ? context.prepareSecrets(begin) : begin()
  }

  private func method(hasBody: Bool) throws(AuthError) -> HTTPRequest.Method {
    guard let text = invocation.value(CallOptions.request) else { return hasBody ? .post : .get }
    guard let method = HTTPRequest.Method(rawValue: text) else {
      throw .usage(
        .init("-X \(Printable.text(text, limit: 80))", why: "it is no HTTP method", hint: "write it like -X PUT"))
    }
    return method
  }

  private var redirects: AuthorizedSender.Redirects {
    guard invocation.has(CallOptions.location) else { return .answer }
    return .follow(keepingMethod: invocation.has(CallOptions.request))
  }

  private func network(of profile: Profile?) throws(AuthError) -> NetworkOptions {
    var network = profile?.network ?? NetworkOptions()
    network.timeout = try invocation.duration(CallOptions.maxTime) ?? network.timeout
    // As in curl, zero means no limit.
    if network.timeout == .zero { network.timeout = nil }
    network.connectTimeout = try invocation.duration(CallOptions.connectTimeout) ?? network.connectTimeout
    return network
  }

  private func sender(_ transport: any HTTPTransport, _ target: CallTarget, _ trace: Trace) -> AuthorizedSender {
    switch target.credential {
    case .none:
      return AuthorizedSender(
        transport: transport, header: TokenHeader(), origins: [], refreshOn: [], events: trace.events
      ) { _ in nil }
    case .given(let token, let header):
      return AuthorizedSender(
        transport: transport, header: header, origins: [target.url.origin], refreshOn: [], events: trace.events
      ) { _ in APICredential(token) }
    case .session(let profile):
      let session = context.session(profile, settings)
      return AuthorizedSender(
        transport: transport, header: profile.header, origins: profile.origins, refreshOn: profile.refreshOn,
        refusalCodes: RefusalCodes(profile), events: trace.events
      ) { rejected throws(AuthError) in try await session.credential(replacing: rejected) }
    }
  }

  private func explained(_ error: any Error, _ target: CallTarget) -> any Error {
    guard let error = error as? TransportError else { return error }
    let what = "calling \(target.url)"
    switch error {
    case .outputClosed: return CLIError.outputClosed
    case .localFile(let detail):
      return AuthError.failed(.init(what, why: detail, hint: "check the disk, and the files named on the command line"))
    case .unusable(let detail):
      return AuthError.failed(.init(what, why: detail, hint: "check the installation and [network] in the profile"))
    case .tls(let detail):
      return AuthError.tryLater(
        .init(
          what, why: detail,
          hint: "if the server's certificate is of an authority of your own, name it: cacert in [network]"))
    default:
      return AuthError.tryLater(
        .init(what, why: error.description, hint: "check the address and the network; try again later"))
    }
  }
}
