import AuthCore
import HTTPServer
import HTTPTypes
import SystemPackage

/// Passes requests of other programs on to the API of a profile, with its token.
struct Gateway: Sendable {
  /// Decides which requests pass.
  let rules: GatewayRules
  /// Translates addresses and header fields.
  let fields: GatewayFields
  /// The requests for which a body is kept in memory only, in bytes.
  let replayBuffer: Int
  private let target: CallTarget
  private let network: NetworkOptions
  private let sender: AuthorizedSender
  private let context: Context
  private let quota = Spool.Quota(single: 1 << 30, total: 4 << 30)

  /// Names of the fields that the transport must not add to those of the client.
  private static let withheld: [HTTPField.Name] = [.accept, .userAgent, .expect, .contentType]

  init(
    _ target: CallTarget, rules: GatewayRules, replayBuffer: Int, _ sender: AuthorizedSender, _ context: Context
  ) {
    self.target = target
    self.rules = rules
    self.replayBuffer = replayBuffer
    self.sender = sender
    self.context = context
    fields = GatewayFields(
      base: GatewayBase(url: target.url), tokenField: target.tokenField, allowances: rules.allowances)
    var network = target.profile?.network ?? NetworkOptions()
    // A request takes as long as its client wants.
    network.timeout = nil
    self.network = network
  }

  /// Answers one request.
  func answer(_ exchange: ServerExchange) async {
    switch rules.verdict(on: exchange.request) {
    case .answered(let answer): exchange.respond(answer)
    case .passed(let passed):
      do {
        let transfer = try await transfer(exchange, passed)
        try await send(transfer, exchange)
        exchange.end()
      } catch let refusal as GatewayBase.Refusal {
        fail(exchange, .refused(400, refusal.why), passed)
      } catch {
        let report = ErrorReport(CallFailure(target).explaining(error)).named(context.program)
        fail(exchange, GatewayAnswer(report, error), passed)
      }
    }
  }

  /// Sends the request, until the client has gone.
  private func send(_ transfer: Transfer, _ exchange: ServerExchange) async throws {
    let task = Task { try await sender.send(transfer, redirects: .response) }
    exchange.whenGone { task.cancel() }
    _ = try await task.value
  }

  /// Reports a failure; a response that has begun can only be broken off.
  private func fail(_ exchange: ServerExchange, _ answer: GatewayAnswer, _ passed: GatewayRules.Passed) {
    guard !exchange.hasBegun else { return exchange.abort() }
    exchange.respond(passed.origin.map { answer.readable(by: $0) } ?? answer)
  }

  private func transfer(_ exchange: ServerExchange, _ passed: GatewayRules.Passed) async throws -> Transfer {
    let request = exchange.request
    guard let method = HTTPRequest.Method(request.method) else {
      throw GatewayBase.Refusal(why: "the method is not usable")
    }
    let url = try fields.base.url(for: passed.target)
    var transfer = Transfer(
      method: method, url: url, fields: try fields.request(request, passed), body: try await body(exchange),
      network: network)
    transfer.withheldFields = Gateway.withheld
    let origin = "http://" + (request.value("host") ?? "localhost")
    transfer.destination = { [fields] response in
      try exchange.begin(
        status: response.status, fields: fields.response(response, for: passed, at: origin))
      return .pass { try exchange.write($0) }
    }
    return transfer
  }

  /// Returns the body: a short one in memory, any other as it arrives, kept for a replay.
  private func body(_ exchange: ServerExchange) async throws -> RequestBody? {
    let request = exchange.request
    guard request.isChunked || request.contentLength != nil else { return nil }
    let (bytes, isWhole) = try await exchange.readBody(upTo: replayBuffer)
    guard !isWhole else { return .bytes(bytes) }
    let spool = unsafe Spool(
      folder: context.spoolFolder, beginning: bytes, inMemory: replayBuffer, length: request.contentLength, quota: quota
    ) { unsafe try exchange.read(into: $0) }
    return .stream(spool)
  }
}

extension ServerExchange {
  /// Sends a response of the proxy itself.
  fileprivate func respond(_ answer: GatewayAnswer) {
    respond(status: answer.status, fields: answer.fields.map { ($0.name, $0.value) }, body: answer.body)
  }
}
