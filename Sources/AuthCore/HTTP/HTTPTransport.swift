public import HTTPTypes
public import SystemPackage

/// Sends requests over HTTP: the seam into which a client library is plugged.
///
/// A transport adds nothing to what it is given but what the protocol itself demands, follows no redirect and
/// verifies every TLS certificate.
public protocol HTTPTransport: Sendable {
  /// Sends one request and returns when the response has arrived whole.
  ///
  /// - Throws: ``TransportError`` when no whole response came; whatever ``Transfer/credential`` throws, with nothing
  ///   sent; `CancellationError` soon after the task was cancelled.
  func send(_ transfer: Transfer) async throws -> TransferResponse
}

/// One request on its way, with all that governs how it is carried.
public struct Transfer: Sendable {
  /// The request's method.
  public var method: HTTPRequest.Method
  /// Where the request goes.
  public var url: WebURL
  /// The header fields, sent in this order and with the spelling of their names kept.
  ///
  /// A field with an empty value is sent as `Name:`.
  public var fields: HTTPFields
  /// How fields of ``fields`` are spelt where the very bytes of their lines matter.
  package var spellings = FieldSpellings()
  /// The fields that a client sends of itself (`User-Agent`, `Accept`, `Range`, `Referer`, a body's `Content-Type`):
  /// they stand where the client library puts them. One of the same name in ``fields`` replaces it.
  public var standardFields: HTTPFields = [:]
  /// Names of fields that the transport would send of itself and must not (`Accept`, `User-Agent`, `Expect`, …).
  public var withheldFields: [HTTPField.Name]
  /// The body, if the request has one.
  public var body: RequestBody?
  /// Whether and how the body is sent as a file that is put (curl's `-T`); nil for a body of any other request.
  package var upload: Upload?
  /// Whether a redirect that is followed names the address that led there in `Referer` (curl's `;auto`).
  public var refersOnward = false
  /// Whether the response ends with its header, whatever the method (curl's `-I`).
  public var endsWithHeader = false
  /// Whether the response may come compressed, and is decompressed on its way to its destination (curl's
  /// `--compressed`).
  public var decodesContent = false
  /// Gives the fields that carry the token and what belongs to it; none where there is no token.
  ///
  /// It is called once, at the same time as the connection is made, and its response is appended to ``fields``. Nothing
  /// of the request is sent before it has answered.
  public var credential: (@Sendable () async throws -> [HTTPField])?
  /// Proxy, certificates and time limits.
  public var network: NetworkOptions
  /// Whether the server must not see the request twice: a code or a refresh token that is sent again may revoke what
  /// the first time has brought. It then has a new connection, since a request on a kept one that breaks is sent again.
  public var isSentOnce = false
  /// Whether the request has a secret in it, so that plain HTTP may go to this machine only, wherever a proxy or a
  /// resolver would lead it. It is always so where there is a ``credential``.
  public var isConfidential = false
  /// Values that a profile may have put anywhere into the request: a log leaves them out.
  var secrets: [Secret] = []
  /// Says, when the header of the final response is known, where its body goes.
  public var destination: @Sendable (TransferResponse) throws -> BodyDestination
  /// Watches each header line as it goes over the wire (`-v`); secrets are not yet redacted.
  package var trace: (@Sendable (WireLine) -> Void)?
  /// Watches how far the transfer has got: every tenth of a second at the most, and at its end.
  package var progress: (@Sendable (TransferProgress) -> Void)?
  /// Takes what there is to tell when the transfer has ended, in whatever way, but for its being cancelled.
  package var report: (@Sendable (TransferReport) -> Void)?
  /// Whether the report is to hold the server's certificates.
  public var wantsCertificates = false

  /// Makes a transfer whose answer's body is collected in memory, up to 1 MiB.
  public init(
    method: HTTPRequest.Method, url: WebURL, fields: HTTPFields = [:], body: RequestBody? = nil,
    network: NetworkOptions = NetworkOptions()
  ) {
    self.method = method
    self.url = url
    self.fields = fields
    withheldFields = []
    self.body = body
    credential = nil
    self.network = network
    destination = { _ in .collect(limit: 1 << 20) }
    trace = nil
  }
}

/// One line of a header, or a fact of the connection, as it was seen on the wire.
package enum WireLine: Sendable, Codable {
  /// Something about the connection ("Connected to …").
  case note(String)
  /// A header line that was sent, without its line end.
  case sent(String)
  /// A header line that was received, without its line end.
  case received(String)
}

/// Where the body of a response goes.
public enum BodyDestination: Sendable {
  /// Into ``TransferResponse/body``; more than `limit` bytes is ``TransportError/responseTooLarge(limit:)``.
  case collect(limit: Int)
  /// Written to an open file as it comes, unbuffered; the file stays open.
  case write(to: FileDescriptor)
  /// Changed part by part as it comes, and what has become of it written to an open file, which stays open. What the
  /// change keeps back at the end is its own to write.
  case change(by: @Sendable ([UInt8]) throws -> [UInt8], to: FileDescriptor)
  /// Held back up to `limit` bytes until it has come whole; `decide` then gets it and says where it goes. A longer one,
  /// or one that breaks off, is nil there. It must not be held again.
  case hold(limit: Int, decide: @Sendable ([UInt8]?) throws -> BodyDestination)
  /// Read and thrown away; after 64 KiB the connection is closed instead.
  case discard
}
