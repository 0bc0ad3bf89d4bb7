import AuthCore
import HTTPTypes
import Synchronization

/// Creates the requests of a batch. The parts that all lines with the same token share are created once.
final class BatchRequests: Sendable {
  /// The longest response that is accepted, in bytes.
  static let longestResponse = 64 << 20

  /// A request, ready to be sent.
  struct Ready: Sendable {
    /// The request.
    var transfer: Transfer
    /// The sender of the request.
    let sender: AuthorizedSender
  }

  /// The profile that the token comes from, and the origin that it is sent to.
  private struct Route: Hashable {
    let profile: ProfileName?
    let origin: Origin
  }

  private final class Common: Sendable {
    let fields: RequestFields
    let network: NetworkOptions
    let sender: AuthorizedSender

    init(_ fields: RequestFields, _ network: NetworkOptions, _ sender: AuthorizedSender) {
      self.fields = fields
      self.network = network
      self.sender = sender
    }
  }

  private let arguments: CallArguments
  private let lines: [HeaderLine]
  private let senders: SenderPool
  private let known = Mutex<[Route: Common]>([:])

  /// - Parameter lines: the lines of `-H`.
  init(_ arguments: CallArguments, _ lines: [HeaderLine], _ senders: SenderPool) {
    self.arguments = arguments
    self.lines = lines
    self.senders = senders
  }

  /// Creates the request of a line.
  ///
  /// - Parameter number: the number of the line in the input.
  /// - Throws: ``AuthError/usage(_:)`` if the line and the options allow no valid request.
  func request(_ line: BatchLine, number: Int, to target: CallTarget) throws(AuthError) -> Ready {
    let common = try common(target)
    var transfer = Transfer(
      method: line.method ?? arguments.method ?? (line.body == nil ? .get : .post), url: target.url,
      body: line.body.map { .bytes($0) }, network: common.network)
    common.fields.fill(&transfer)
    transfer.decodesContent = arguments.isCompressed
    let isTyped = transfer.fields[.contentType] != nil || transfer.withheldFields.contains(.contentType)
    if line.isJSON, !isTyped { transfer.fields[.contentType] = "application/json" }
    for field in line.fields {
      guard field.name != target.tokenField, !target.isProven || field.name != .dpop else {
        throw .usage(
          "the header \(field.name.rawName)", why: "it carries the profile's token, or the token's proof",
          hint: "remove it, or send the batch without the token: --no-auth")
      }
      transfer.fields[field.name] = nil
      transfer.withheldFields.removeAll { $0 == field.name }
      if field.values.isEmpty { transfer.withheldFields.append(field.name) }
      for value in field.values { transfer.fields.append(HTTPField(name: field.name, value: value)) }
    }
    transfer.number = number
    transfer.destination = { _ in .collect(limit: BatchRequests.longestResponse) }
    return Ready(transfer: transfer, sender: common.sender)
  }

  private func common(_ target: CallTarget) throws(AuthError) -> Common {
    let route = Route(profile: target.profile?.name, origin: target.url.origin)
    if let common = known.withLock({ $0[route] }) { return common }
    var network = arguments.network.options(of: target.profile)
    network.clientKeyPassword = senders.secrets.keyPassword
    let common = Common(
      try arguments.fields.with(lines, tokenField: target.tokenField, isProven: target.isProven), network,
      senders.sender(target))
    known.withLock { $0[route] = common }
    return common
  }
}
