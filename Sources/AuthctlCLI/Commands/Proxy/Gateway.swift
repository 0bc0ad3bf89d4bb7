import AuthCore
import HTTPServer
import HTTPTypes
import Synchronization
import SystemPackage

/// Passes requests of other programs on to the APIs of profiles, with their tokens.
final class Gateway: Sendable {
  /// Decides which requests pass.
  let rules: GatewayRules
  private let routes: GatewayRoutes
  /// The size of a body, in bytes, up to which it is kept in memory.
  private let replayBuffer: Int
  private let context: Context
  private let log: VerboseLog
  private let quota = Spool.Quota(single: 1 << 30, total: 4 << 30)
  private static let noRoom = Spool.Quota(single: 0, total: 0)
  private let activity = Mutex(Activity())

  /// The requests that run.
  private struct Activity {
    var count = 0
    var last = ContinuousClock.now
  }

  /// Names of the fields that the transport must not add to those of the client.
  private static let withheld: [HTTPField.Name] = [.accept, .userAgent, .expect, .contentType]

  init(_ routes: GatewayRoutes, rules: GatewayRules, replayBuffer: Int, _ context: Context) {
    self.routes = routes
    self.rules = rules
    self.replayBuffer = replayBuffer
    self.context = context
    log = VerboseLog(context)
  }

  /// The time since the end of the last request; nil while one runs.
  var idleTime: Duration? { activity.withLock { $0.count == 0 ? $0.last.duration(to: .now) : nil } }

  /// Answers one request.
  func answer(_ exchange: ServerExchange) async {
    let request = GatewayRequest(exchange)
    switch rules.verdict(on: exchange.request) {
    case .answered(let answer): request.respond(answer)
    case .passed(let passed):
      activity.withLock { $0.count += 1 }
      defer { activity.withLock { ($0.count, $0.last) = ($0.count - 1, .now) } }
      request.path = passed.target.prefix(upToAny: "?")
      if let (route, passed) = routes.route(for: passed) {
        if let refusal = route.fields.refusal(of: exchange.request, passed) {
          request.respond(refusal.readable(by: passed.origin))
        } else {
          await pass(request, passed, to: route)
        }
      } else {
        request.respond(.refused(404, "the path must begin with the name of a profile").readable(by: passed.origin))
      }
    }
    log.step(request.words(context.redaction))
  }

  /// Passes a request on, and its response back.
  private func pass(_ request: GatewayRequest, _ passed: GatewayRules.Passed, to route: GatewayRoute) async {
    let exchange = request.exchange
    do {
      let (body, isKept) = try await body(exchange)
      let transfer = try transfer(request, passed, body, to: route)
      let sender = isKept ? route.sender : route.lastingSender
      let task = Task { try await sender.send(transfer, redirects: .response) }
      exchange.whenGone { task.cancel() }
      _ = try await task.value
      exchange.end()
    } catch let refusal as GatewayBase.Refusal {
      request.fail(.refused(400, refusal.why).readable(by: passed.origin))
    } catch {
      let report = ErrorReport(CallFailure(route.target).explaining(error)).named(context.program)
      request.fail(GatewayAnswer(report, error).readable(by: passed.origin))
    }
  }

  private func transfer(
    _ request: GatewayRequest, _ passed: GatewayRules.Passed, _ body: RequestBody?, to route: GatewayRoute
  ) throws -> Transfer {
    let head = request.exchange.request
    guard let method = HTTPRequest.Method(head.method) else {
      throw GatewayBase.Refusal(why: "the method is not usable")
    }
    var transfer = Transfer(
      method: method, url: try route.fields.base.url(for: passed.target),
      fields: try route.fields.request(head, passed), body: body, network: route.network)
    transfer.withheldFields = Gateway.withheld
    let origin = "http://" + (head.value("host") ?? "localhost")
    transfer.destination = { response in
      try request.begin(response.status, route.fields.response(response, for: passed, at: origin))
      return .pass { try request.write($0) }
    }
    return transfer
  }

  /// Returns the body, a short one in memory, any other as it arrives; and whether there is room to keep it for a
  /// replay, as far as its length is known.
  private func body(_ exchange: ServerExchange) async throws -> (RequestBody?, isKept: Bool) {
    let request = exchange.request
    guard request.isChunked || request.contentLength != nil else { return (nil, true) }
    let (bytes, isWhole) = try await exchange.readBody(upTo: replayBuffer)
    guard !isWhole else { return (.bytes(bytes), true) }
    let isKept = quota.hasRoom(for: request.contentLength ?? 0)
    let spool = unsafe Spool(
      folder: context.spoolFolder, beginning: bytes, inMemory: replayBuffer, length: request.contentLength,
      quota: isKept ? quota : Gateway.noRoom
    ) { buffer in
      // The thread of the transfer must be able to read a response that comes before the end of the body.
      guard let count = unsafe try exchange.readNow(into: buffer) else {
        throw BytesAwaited { exchange.whenReadable($0) }
      }
      return count
    }
    return (.stream(spool), isKept)
  }
}

/// A request of a client, and what is said of it afterwards.
private final class GatewayRequest: Sendable {
  private struct State {
    var path: Substring?
    var status: Int?
    var bytes = 0
  }

  let exchange: ServerExchange
  private let begin = ContinuousClock.now
  private let state = Mutex(State())

  init(_ exchange: ServerExchange) { self.exchange = exchange }

  /// The path without the key; nil for a request without the key.
  var path: Substring? {
    get { state.withLock { $0.path } }
    set { state.withLock { $0.path = newValue } }
  }

  /// Begins the response of the API.
  func begin(_ status: Int, _ fields: [(name: String, value: String)]) throws {
    do throws(Errno) {
      try exchange.begin(status: status, fields: fields)
    } catch {
      guard error == .invalidArgument else { throw error }
      throw AuthError.failed(
        "the response of the API", why: "its status (\(status)) or a header field is not valid",
        hint: "ask the API's operator")
    }
    state.withLock { $0.status = status }
  }

  /// Sends a part of the API's body.
  func write(_ bytes: [UInt8]) throws {
    try exchange.write(bytes)
    state.withLock { $0.bytes += bytes.count }
  }

  /// Sends a response of the proxy itself.
  func respond(_ answer: GatewayAnswer) {
    exchange.respond(status: answer.status, fields: answer.fields.map { ($0.name, $0.value) }, body: answer.body)
    state.withLock { state in (state.status, state.bytes) = (answer.status, answer.body.count) }
  }

  /// Reports a failure; a response that has begun can only be broken off.
  func fail(_ answer: GatewayAnswer) { exchange.hasBegun ? exchange.abort() : respond(answer) }

  /// The method, the path, the status, the bytes and the time, for `-v`.
  func words(_ redaction: Redaction) -> String {
    let (path, status, bytes) = state.withLock { ($0.path, $0.status, $0.bytes) }
    let milliseconds = Int(begin.duration(to: .now).seconds * 1000)
    let place = path.map { redaction.text($0.isEmpty ? "/" : String($0)) } ?? "without the key"
    return "\(exchange.request.method) \(place): \(status.map { "\($0)" } ?? "no response"), \(bytes) bytes, "
      + "\(milliseconds) ms"
  }
}
