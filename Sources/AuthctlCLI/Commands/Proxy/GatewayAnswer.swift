import AuthCore
import HTTPServer

/// A response of the proxy itself.
struct GatewayAnswer: Sendable, Equatable {
  /// The status code.
  let status: Int
  /// The header fields.
  var fields: [HeaderField]
  /// The body.
  let body: [UInt8]

  /// A header field; equal ones have the same spelling.
  struct HeaderField: Sendable, Equatable {
    let name: String
    let value: String

    init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  private static let json = HeaderField("Content-Type", "application/json")

  /// Refuses a request for a reason that says nothing about the profile.
  static func refused(_ status: Int, _ why: String, _ more: [HeaderField] = []) -> GatewayAnswer {
    let error: JSONValue = ["error": ["code": "proxy", "message": .string(why)]]
    return GatewayAnswer(
      status: status, fields: [json, HeaderField("Proxy-Status", "authctl; error=http_request_denied")] + more,
      body: bytes(error))
  }

  /// Asks for the key. Clients of container registries need the challenge.
  static let keyMissing = refused(
    401, "the key of the proxy is missing or wrong",
    [HeaderField("WWW-Authenticate", "Basic realm=\"authctl proxy\", charset=\"UTF-8\"")])

  /// Answers the preflight of a page's request (Fetch, section 3.2.2): it has no key, and is never sent on.
  static func preflight(_ request: ServerRequest, _ origin: String) -> GatewayAnswer {
    var fields = [
      HeaderField("Access-Control-Allow-Methods", request.value("access-control-request-method") ?? ""),
      HeaderField("Access-Control-Max-Age", "600"),
    ]
    if let names = request.value("access-control-request-headers") {
      fields.append(HeaderField("Access-Control-Allow-Headers", names))
    }
    if request.value("access-control-request-private-network") == "true" {
      fields.append(HeaderField("Access-Control-Allow-Private-Network", "true"))
    }
    return GatewayAnswer(status: 204, fields: fields, body: []).readable(by: origin)
  }

  /// Reports a failure of authctl or of the network, as `--errors=json` does.
  init(_ report: ErrorReport, _ error: any Error) {
    let retryAfter = GatewayAnswer.pause(error)
    status =
      if GatewayAnswer.isTimeout(error) { 504 } else { report.status == .tryLater ? 503 : 502 }
    fields = [
      GatewayAnswer.json,
      HeaderField("Proxy-Status", "authctl; error=\(status == 504 ? "connection_timeout" : "proxy_internal_error")"),
    ]
    if let retryAfter { fields.append(HeaderField("Retry-After", "\(retryAfter)")) }
    body = GatewayAnswer.bytes(["error": report.object])
  }

  private init(status: Int, fields: [HeaderField], body: [UInt8]) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// Returns the answer with the fields by which a page of another origin may read it; unchanged for nil.
  func readable(by origin: String?) -> GatewayAnswer {
    guard let origin else { return self }
    var answer = self
    answer.fields += GatewayAnswer.sharing(with: origin)
    return answer
  }

  /// The fields by which a page of another origin may read a response.
  static func sharing(with origin: String) -> [HeaderField] {
    [
      HeaderField("Access-Control-Allow-Origin", origin), HeaderField("Vary", "Origin"),
      HeaderField("Access-Control-Expose-Headers", "*"),
    ]
  }

  private static func bytes(_ value: JSONValue) -> [UInt8] {
    // Only strings and integers: encoding can't fail.
    Array(((try? value.text()) ?? "{}").utf8) + [UInt8(ascii: "\n")]
  }

  private static func isTimeout(_ error: any Error) -> Bool {
    if case TransportError.timedOut = error { true } else { false }
  }

  /// The seconds after which another attempt makes sense.
  private static func pause(_ error: any Error) -> Int? {
    guard case .tryAgain(let after?) = (error as? AuthError)?.explanation.remedy else { return nil }
    return Int(after.rounded(.up))
  }
}
