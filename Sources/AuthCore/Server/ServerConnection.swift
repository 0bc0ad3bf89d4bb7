package import FoundationEssentials
import HTTPTypes

/// How an authorization server is reached: requests with a common user agent, clock, limits and events.
package struct ServerConnection: Sendable {
  /// What carries the requests.
  package var transport: any HTTPTransport
  /// Proxy, certificates, time limits.
  package var network: NetworkOptions
  /// `User-Agent` of every request.
  package var userAgent: String
  /// The clock.
  package var now: @Sendable () -> Date
  /// The boot-time clock, which cannot be set.
  package var boot: @Sendable () -> BootTime?
  /// Who watches.
  package var events: EventSink
  /// Who watches the lines on the wire; they hold secrets.
  package var trace: (@Sendable (WireLine) -> Void)?

  /// How long a whole request to an authorization server may take where the profile does not say.
  package static let standardTimeout: Duration = .seconds(30)

  /// Makes a connection's settings.
  package init(
    transport: any HTTPTransport, network: NetworkOptions, userAgent: String, now: @escaping @Sendable () -> Date,
    boot: @escaping @Sendable () -> BootTime? = { BootTime.now }, events: @escaping EventSink,
    trace: (@Sendable (WireLine) -> Void)? = nil
  ) {
    self.transport = transport
    self.network = network
    self.network.timeout = network.timeout ?? ServerConnection.standardTimeout
    self.userAgent = userAgent
    self.now = now
    self.boot = boot
    self.events = events
    self.trace = trace
  }

  /// Why no response came, in words.
  struct Unreachable: Error, CustomStringConvertible {
    let description: String
    /// Whether the request may have arrived all the same.
    let mayHaveArrived: Bool
    /// Whether there was a response, but none that is worth asking for again: larger than any that makes sense.
    var isUnusable = false
    /// Whether the server's certificate, or the TLS handshake, failed: nothing was sent.
    var isUntrusted = false

    /// The explanation of an error with the remedy for an untrusted certificate, or else the hint.
    func explanation(_ what: String, hint: String) -> AuthError.Explanation {
      isUntrusted
        ? .init(what, why: description, remedy: .trustCertificate) : .init(what, why: description, hint: hint)
    }
  }

  /// Gets a JSON document.
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
    return try await send(transfer)
  }

  /// Sends a request with all that is common to them.
  func send(_ transfer: Transfer) async throws(Unreachable) -> TransferResponse {
    var transfer = transfer
    transfer.network = network
    transfer.isConfidential = true
    // A profile's own request may go by another name.
    if transfer.fields[.userAgent] == nil { transfer.fields[.userAgent] = userAgent }
    transfer.trace = trace
    do {
      return try await transport.send(transfer)
    } catch let error as TransportError {
      throw Unreachable(
        description: error.description, mayHaveArrived: error.mayHaveArrived, isUnusable: error.isUnusable,
        isUntrusted: error.isUntrusted)
    } catch {
      throw Unreachable(description: "it was interrupted", mayHaveArrived: true)
    }
  }
}

extension TransportError {
  /// Whether the request may have reached the server although no response came back.
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

extension TransferResponse {
  /// Whether a gateway responds for a server behind it, which may have processed the request. Source: RFC 9110,
  /// sections 15.6.3 and 15.6.5.
  var isGatewayError: Bool { status == 502 || status == 504 }

  /// `Date` of the response (RFC 9110, section 6.6.1).
  var date: Date? {
    fields[.date].flatMap { HTTPDate.parse($0) }
  }

  /// `Retry-After` in seconds, a year at the most; see ``RetryAfter``.
  func retryAfter(now: Date) -> Double? {
    RetryAfter.pause(in: self, now: now).map { min($0.seconds, 365 * 86400) }
  }
}

extension ServerConnection {
  /// What the clocks of this machine show.
  var reading: ClockReading { ClockReading(time: now(), boot: boot()) }

  /// Records the clocks of a request whose response has just arrived, and reports a wrong local clock.
  func clock(of response: TransferResponse, sent: ClockReading) -> IssuanceClock {
    let clock = IssuanceClock(sent: sent, received: reading, serverDate: response.date)
    if let offset = clock.serverOffset { events(.clockDiffers(by: offset)) }
    return clock
  }
}
