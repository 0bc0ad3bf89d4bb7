public import HTTPTypes
public import SystemPackage

/// Sends requests over HTTP; implement it to use another HTTP library.
///
/// A transport adds only what the protocol requires, follows no redirects, and verifies every TLS certificate.
public protocol HTTPTransport: Sendable {
  /// Sends one request and returns when the whole response has arrived.
  ///
  /// - Throws: ``TransportError`` if no complete response arrived; the error of ``Transfer/credential``, in which case
  ///   nothing was sent; `CancellationError` soon after the task is cancelled.
  func send(_ transfer: Transfer) async throws -> TransferResponse

  /// Whether `send` calls ``Transfer/beforeSending``. If not, it is called before `send`.
  var connectsFirst: Bool { get }
}

extension HTTPTransport {
  /// `false`.
  public var connectsFirst: Bool { false }
}

/// One request with all settings for its transfer.
public struct Transfer: Sendable {
  /// The request's method.
  public var method: HTTPRequest.Method
  /// The URL to which the request is sent.
  public var url: WebURL
  /// The header fields, sent in this order and with their names spelled as given.
  ///
  /// A field with an empty value is sent as `Name:`.
  public var fields: HTTPFields
  /// The exact bytes of header lines in ``fields`` that must be sent as written.
  package var spellings = FieldSpellings()
  /// The fields that a client sends by default (`User-Agent`, `Accept`, `Range`, `Referer`, a body's `Content-Type`).
  /// The client library determines their position. A field of the same name in ``fields`` replaces one.
  public var standardFields: HTTPFields = [:]
  /// Names of fields that the transport must not add by itself (`Accept`, `User-Agent`, `Expect`, …).
  public var withheldFields: [HTTPField.Name] = []
  /// The body, if the request has one.
  public var body: RequestBody?
  /// How the body is uploaded as a file (curl's `-T`); nil if the request is not such an upload.
  package var upload: Upload?
  /// Whether a followed redirect sends the previous URL in `Referer` (curl's `;auto`).
  public var refersOnward = false
  /// Whether the response ends after its header, regardless of the method (curl's `-I`).
  public var endsWithHeader = false
  /// Whether the response may be compressed and is decompressed before it reaches its destination (curl's
  /// `--compressed`).
  public var decodesContent = false
  /// Returns the header fields that carry the token and its proof; nil if the request has no token.
  ///
  /// It is called once, while the connection is being established, and its result is appended to ``fields``. No part of
  /// the request is sent before it returns.
  public var credential: (@Sendable () async throws -> [HTTPField])?
  /// Called when the connection is open, with TLS, and the request is the next that would be sent over it; nil for
  /// nothing.
  ///
  /// If it throws, nothing is sent, and its error is thrown. It is called again if another connection is opened. The
  /// time that it takes does not count.
  public var beforeSending: (@Sendable () async throws -> Void)?
  /// Proxy, certificates and timeouts.
  public var network: NetworkOptions
  /// Whether the server must not receive the request twice: sending a code or a refresh token again may revoke the
  /// tokens that were issued the first time. The request then uses a new connection, because a request on a reused
  /// connection that breaks is sent again.
  public var isSentOnce = false
  /// Whether the request contains a secret. Plain HTTP may then connect only to this machine, regardless of proxy and
  /// resolver. This always applies if there is a ``credential``.
  public var isConfidential = false
  /// Secret values that a profile may have put anywhere into the request; logs omit them.
  var secrets: [Secret] = []
  /// The values in the body of a request that a profile describes, for a log.
  var bodyValues: [BodyValue] = []
  /// Returns what a log shows of the values in a response, by their ``BodyValue/path``; nil if their names decide.
  var valueKinds: (@Sendable (JSONValue) -> [String: BodyValue.Kind])?
  /// The number by which a log tells the request from others that are sent at the same time; nil if there are none.
  package var number: Int?
  /// Whether the request goes to the authorization server rather than to the API.
  package var isForServer = false
  /// Returns the destination of the body as soon as the header of the final response is known.
  public var destination: @Sendable (TransferResponse) throws -> BodyDestination = { _ in .collect(limit: 1 << 20) }
  /// Called when the transfer starts, after any wait for others.
  package var begun: (@Sendable () -> Void)?
  /// Receives each header line as it is sent or received (`-v`); secrets are not yet redacted.
  package var trace: (@Sendable (WireLine) -> Void)?
  /// Receives the response's body part by part as it arrives, in addition to its destination, until it returns false.
  package var received: (@Sendable ([UInt8]) -> Bool)?
  /// Receives the progress of the transfer, at most every tenth of a second and at its end.
  package var progress: (@Sendable (TransferProgress) -> Void)?
  /// Receives the report when the transfer has succeeded or failed, but not if it is cancelled.
  package var report: (@Sendable (TransferReport) -> Void)?
  /// Whether the report contains the server's certificates.
  public var wantsCertificates = false

  /// Creates a transfer whose response body is collected in memory, up to 1 MiB.
  public init(
    method: HTTPRequest.Method, url: WebURL, fields: HTTPFields = [:], body: RequestBody? = nil,
    network: NetworkOptions = NetworkOptions()
  ) {
    self.method = method
    self.url = url
    self.fields = fields
    self.body = body
    self.network = network
  }
}

/// One header line as sent or received, or a note about the connection.
package enum WireLine: Sendable, Codable {
  /// A note about the connection ("Connected to …").
  case note(String)
  /// The proxy of the connection, or why there is none although one is set.
  case proxy(String)
  /// A header line that was sent, without its line end.
  case sent(String)
  /// A header line that was received, without its line end.
  case received(String)
  /// A field of the form that was sent to an authorization server.
  case sentField(name: String, value: String)
  /// A member of the JSON object that an authorization server returned.
  case receivedMember(name: String, value: JSONValue)
  /// The body of a request that a profile describes.
  case sentBody(String)
  /// The body of the response to a request that a profile describes, with the kinds of values by their paths.
  case receivedBody(String, kinds: [String: BodyValue.Kind])
  /// A value in one of these bodies.
  case bodyValue(BodyValue, isSent: Bool)
  /// A line of one of several requests that are sent at the same time.
  indirect case ofRequest(Int, WireLine)
}

/// The destination of a response body.
public enum BodyDestination: Sendable {
  /// Collects it in ``TransferResponse/body``; more than `limit` bytes is ``TransportError/responseTooLarge(limit:)``.
  case collect(limit: Int)
  /// Writes it to an open file as it arrives, unbuffered; the file stays open.
  case write(to: FileDescriptor)
  /// Changes it part by part as it arrives, and writes the result to an open file, which stays open. At the end, the
  /// change itself must write any bytes that it still holds back.
  case change(by: @Sendable ([UInt8]) throws -> [UInt8], to: FileDescriptor)
  /// Passes each part on as it arrives. The function may block: until it returns, no more is received.
  case pass(to: @Sendable ([UInt8]) throws -> Void)
  /// Holds back up to `limit` bytes until the whole body has arrived; `decide` then receives it and returns its
  /// destination. `decide` receives nil if the body is longer or incomplete. It must not return `hold` again.
  case hold(limit: Int, decide: @Sendable ([UInt8]?) throws -> BodyDestination)
  /// Reads and discards it; after 64 KiB the connection is closed instead.
  case discard
}
