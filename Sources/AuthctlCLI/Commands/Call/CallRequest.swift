import AuthCore
import HTTPTypes

/// One request of a call, ready to be sent.
struct CallRequest: Sendable {
  /// Where it goes and with whose token.
  private(set) var target: CallTarget

  private var transfer: Transfer
  private let output: CallOutput
  private let invocation: Invocation
  private let context: Context
  private let index: Int
  private let retries: CallRetries

  /// Reads what the command line says of the request.
  ///
  /// - Parameter index: its place among the addresses of the command line, from 0.
  /// - Throws: ``AuthError/usage(_:)`` where it can't be made.
  init(
    _ target: CallTarget, index: Int, _ content: SharedInput, _ invocation: Invocation, _ context: Context
  ) throws(AuthError) {
    let target = try target.with(content.body.url(target.url, at: index))
    self.target = target
    self.invocation = invocation
    self.context = context
    self.index = index
    retries = try CallRetries(invocation, context)
    let fields = try RequestFields(
      invocation, lines: content.lines, tokenField: target.tokenField, isProven: target.isProven)
    let method = try CallRequest.method(invocation) ?? content.body.method(at: index)
    var transfer = Transfer(method: method, url: target.url)
    fields.fill(&transfer)
    transfer.endsWithHeader = invocation.has(CallOptions.head)
    transfer.decodesContent = invocation.has(CallOptions.compressed)
    try content.body.fill(&transfer, at: index)
    transfer.network = try CallNetwork(invocation).options(of: target.profile)
    output = try CallOutput(index: index, url: target.url, invocation, context)
    if let resumption = output.resumption { transfer.standardFields[.range] = resumption.range }
    self.transfer = transfer
  }

  /// The request with the secrets that were asked for after it was read.
  ///
  /// - Parameters:
  ///   - credentials: name and password of `-u`.
  ///   - keyPassword: the password of the private key of `--key` or `-E`.
  func with(_ credentials: BasicCredentials?, keyPassword: Secret?) -> CallRequest {
    var request = self
    if let credentials { request.target = target.with(credentials) }
    request.transfer.network.clientKeyPassword = keyPassword
    return request
  }

  /// Sends the request, brings the response to where it belongs, and prints what `-w` says of it.
  ///
  /// - Throws: ``AuthError`` or ``CLIError``, the response being written where there is one.
  func run(_ senders: SenderPool, _ writeOut: WriteOut?) async throws {
    let record = TransferLog()
    do {
      try await send(senders, record, writeOut)
    } catch CLIError.outputClosed {
      throw CLIError.outputClosed
    } catch {
      try tell(facts(record, ErrorReport(error)), by: writeOut)
      throw error
    }
    try tell(facts(record, nil), by: writeOut)
  }

  private func tell(_ facts: WriteOutValues, by writeOut: WriteOut?) throws {
    do {
      try writeOut?.print(facts)
    } catch {
      throw CallFailure(target).explaining(error)
    }
  }

  private func send(_ senders: SenderPool, _ record: TransferLog, _ writeOut: WriteOut?) async throws {
    var transfer = transfer
    transfer.trace = senders.trace(target).wire
    transfer.destination = { response in try output.begin(response) }
    if let writeOut {
      transfer.report = { record.add($0) }
      transfer.wantsCertificates = writeOut.needsCertificates
    }
    let meter = TransferMeter(output.place, invocation, context)
    if let meter { transfer.progress = { meter.show($0) } }
    defer { meter?.finish() }
    let response: TransferResponse
    do {
      try output.prepare()
      response = try await retries.send(
        transfer, by: senders.sender(target), redirects: CallRequest.redirects(invocation), again: record.beginAnew)
      try output.end(response)
    } catch {
      do {
        try output.end(nil)
        output.breakLine()
      } catch {
        // That what has come can't be written is nearer to the person than that more would have come.
        throw CallFailure(target).explaining(error)
      }
      throw CallFailure(target).explaining(error)
    }
    guard response.status >= 400, !invocation.has(CallOptions.noFail) else { return }
    output.breakLine()
    let body = output.whereabouts(response)
    throw await CallFailure(target).refusal(response, transfer.method, body: body) {
      await senders.grantedScope(target)
    }
  }

  private func facts(_ record: TransferLog, _ failure: ErrorReport?) -> WriteOutValues {
    WriteOutValues(
      url: target.url, number: index, file: output.place.path, status: failure?.status ?? .ok,
      message: failure?.message, record: record)
  }

  /// The method that the command line names; nil where it names none.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where it is none.
  static func method(_ invocation: Invocation) throws(AuthError) -> HTTPRequest.Method? {
    guard let text = invocation.value(CallOptions.request) else { return nil }
    guard let method = HTTPRequest.Method(rawValue: text) else {
      throw .usage(
        .init("-X \(Escaped.text(text, limit: 80))", why: "not an HTTP method", hint: "use -X PUT"))
    }
    return method
  }

  /// What the command line wants to be followed of a redirect.
  static func redirects(_ invocation: Invocation) -> RedirectPolicy {
    guard invocation.has(CallOptions.location) else { return .response }
    return .follow(
      keepingMethod: invocation.has(CallOptions.request), isUpload: invocation.has(CallOptions.uploadFile))
  }
}
