package import FoundationEssentials
import HTTPTypes
import Synchronization

/// Sends requests to an authorization server with a common user agent, clock, limits and events.
package struct ServerConnection: Sendable {
  /// Sends the requests.
  package var transport: any HTTPTransport
  /// The proxy, the certificates and the timeouts.
  package var network: NetworkOptions
  /// `User-Agent` of every request.
  package var userAgent: String
  /// Returns the current time.
  package var now: @Sendable () -> Date
  /// Returns the time since boot, from a clock that cannot be set.
  package var boot: @Sendable () -> BootTime?
  /// Receives the events.
  package var events: EventHandler
  /// The number by which a log tells its requests from others that are sent at the same time.
  var number: Int?
  /// Whether the requests go to the authorization server; false for those that look for an API's metadata.
  package var isForServer = true
  /// The end of the time for all requests together; nil if only each has a time limit.
  package var end: ContinuousClock.Instant?
  /// Called before a request that must be sent only once, when its connection is open; nil for nothing.
  var beforeSending: (@Sendable () async throws(AuthError) -> Void)?

  /// The timeout of a whole request to an authorization server if the profile states none.
  package static let standardTimeout: Duration = .seconds(30)

  /// The tokens of the session, which a response may repeat although they were not sent.
  package var secrets: [Secret] = []

  /// Creates a connection.
  package init(
    transport: any HTTPTransport, network: NetworkOptions, userAgent: String, now: @escaping @Sendable () -> Date,
    boot: @escaping @Sendable () -> BootTime? = { BootTime.now }, events: @escaping EventHandler
  ) {
    self.transport = transport
    self.network = network
    self.network.timeout = network.timeout ?? ServerConnection.standardTimeout
    self.userAgent = userAgent
    self.now = now
    self.boot = boot
    self.events = events
  }

  /// Whether no time is left for a request.
  var isTimeUp: Bool { end.map { $0 <= .now } ?? false }

  /// The reason why no response was received, as text.
  package struct Unreachable: Error, CustomStringConvertible {
    package let description: String
    /// Whether the server may have received the request despite the error.
    let mayHaveArrived: Bool
    /// Whether there was a response that is too large; a retry does not help.
    var isUnusable = false
    /// Whether the server's certificate, or the TLS handshake, failed: nothing was sent.
    var isUntrusted = false
    /// The error because of which nothing was sent, if it is one of this machine.
    var local: AuthError?

    /// Returns the explanation of an error, with the remedy for an untrusted certificate, or else with the hint.
    ///
    /// - Parameter hint: nil if the cause is unknown.
    func explanation(_ what: String, hint: String? = nil) -> AuthError.Explanation {
      guard !isUntrusted else { return .init(what, why: description, remedy: .trustCertificate) }
      guard let hint else {
        return .init(what, why: description, hint: Unreachable.hint, remedy: .tryAgain(after: nil))
      }
      return .init(what, why: description, hint: hint)
    }

    /// The hint if the cause is unknown.
    static let hint = "check the network and the server's address"
  }

  /// Requests a JSON document.
  func get(_ url: WebURL, fields: HTTPFields = [:]) async throws(Unreachable) -> TransferResponse {
    try await send(Transfer(method: .get, url: url, fields: [.accept: "application/json"] + fields))
  }

  /// Posts a form.
  func post(_ form: [(name: String, value: String)], to url: WebURL, fields: HTTPFields) async throws(Unreachable)
    -> TransferResponse
  {
    var all: HTTPFields = [.accept: "application/json", .contentType: "application/x-www-form-urlencoded"]
    all.append(contentsOf: fields)
    var transfer = Transfer(
      method: .post, url: url, fields: all, body: .bytes(Array(FormEncoding.encode(form).utf8)))
    transfer.isSentOnce = true
    let sent = form.filter { SecretNames.isSecret($0.name) }.map { Secret($0.value) }
    return try await send(transfer).keeping(sent)
  }

  /// Returns a connection whose requests a log tells from others that are sent at the same time.
  func numbered(_ number: Int) -> ServerConnection {
    var numbered = self
    numbered.number = number
    return numbered
  }

  /// Sends a request with the settings common to all requests.
  func send(_ transfer: Transfer) async throws(Unreachable) -> TransferResponse {
    var transfer = transfer
    transfer.network = network
    if let end {
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero else {
        throw Unreachable(description: "\(transfer.url.origin.host): no time left", mayHaveArrived: true)
      }
      // Whole seconds, for messages.
      let limit = Duration.seconds(left.components.seconds + 1)
      transfer.network.timeout = min(network.timeout ?? limit, limit)
    }
    transfer.isConfidential = true
    transfer.isForServer = isForServer
    // A request in a profile may set its own user agent.
    if transfer.fields[.userAgent] == nil { transfer.fields[.userAgent] = userAgent }
    transfer.number = number
    do {
      if transfer.isSentOnce, let beforeSending {
        transfer.beforeSending = beforeSending
        if !transport.connectsFirst { try await beforeSending() }
      }
      return try await transport.send(transfer).keeping(secrets + transfer.secrets + transfer.credentials)
    } catch TransportError.unusable(let detail) {
      // Another process may have what this one lacks: a library, memory.
      throw Unreachable(
        description: detail, mayHaveArrived: false, local: .unusableTransport("calling \(transfer.url)", why: detail))
    } catch let error as TransportError {
      throw Unreachable(
        description: error.description, mayHaveArrived: error.mayHaveArrived, isUnusable: error.isUnusable,
        isUntrusted: error.isUntrusted)
    } catch let error as AuthError {
      throw Unreachable(description: error.explanation.why, mayHaveArrived: false, local: error)
    } catch {
      throw Unreachable(description: "it was interrupted", mayHaveArrived: true)
    }
  }
}

extension TransportError {
  /// Whether the server may have received the request although no response was received.
  var mayHaveArrived: Bool {
    switch self {
    case .unresolved, .unreachable, .exposed, .tls, .unusable: false
    case .timedOut, .broken, .responseTooLarge, .headerTooLarge, .localFile, .outputClosed: true
    }
  }

  /// Whether the server's certificate, or the TLS handshake, failed.
  var isUntrusted: Bool { if case .tls = self { true } else { false } }

  /// Whether the server did respond, but with an unusable response.
  var isUnusable: Bool {
    switch self {
    case .responseTooLarge, .headerTooLarge: true
    default: false
    }
  }
}

extension Transfer {
  /// The credentials in its field `Authorization`; of HTTP Basic also the password, which a client encodes as a form
  /// (RFC 6749, section 2.3.1).
  fileprivate var credentials: [Secret] {
    guard let value = fields[.authorization]?.split(atAny: " ", maxSplits: 1).last else { return [] }
    let secret = Secret(String(value))
    guard let password = BasicCredentials(encoded: secret)?.password else { return [secret] }
    return [secret, password, Secret(FormEncoding.decodeOne(password.exposed))]
  }
}

extension TransferResponse {
  /// Returns the response with further secrets that no message may repeat.
  fileprivate func keeping(_ secrets: [Secret]) -> TransferResponse {
    var response = self
    response.secrets += secrets
    return response
  }

  /// Whether a gateway responds for a server behind it, which may have processed the request (RFC 9110, sections 15.6.3
  /// and 15.6.5).
  var isGatewayError: Bool { status == 502 || status == 504 }

  /// The `Date` field of the response (RFC 9110, section 6.6.1).
  package var date: Date? {
    fields[.date].flatMap { HTTPDate.parse($0) }
  }

  /// Returns `Retry-After` in seconds, at most one year; see ``RetryAfter``.
  func retryAfter(now: Date) -> Double? {
    RetryAfter.pause(in: self, now: now).map { min($0.seconds, 365 * 86400) }
  }
}

extension ServerConnection {
  /// The current times of this machine's clocks.
  var reading: ClockReading { ClockReading(time: now(), boot: boot()) }

  /// Records the clocks for a request whose response has just arrived, and reports a wrong local clock.
  func clock(of response: TransferResponse, sent: ClockReading) -> IssuanceClock {
    let clock = IssuanceClock(sent: sent, received: reading, serverDate: response.date)
    if let offset = clock.serverOffset { events(.clockDiffers(by: offset)) }
    return clock
  }
}
