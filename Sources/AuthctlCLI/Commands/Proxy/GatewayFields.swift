import AuthCore
import HTTPServer
import HTTPTypes

/// Decides which header fields cross the proxy, and translates the addresses in them.
struct GatewayFields: Sendable {
  /// The address at the API.
  let base: GatewayBase
  /// The field that carries the token: the client's own never passes.
  let tokenField: HTTPField.Name?
  /// The requests that pass; empty for all. If there are any, fields that replace the method are dropped.
  let allowances: [GatewayAllowance]
  /// What precedes the path at the API in those of ``allowances``.
  var folder = ""

  /// The fields of one connection only (RFC 9110, section 7.6.1), beside those that `Connection` names.
  private static let ofConnection: Set<String> = [
    "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization",
    "proxy-authentication-info", "te", "trailer", "transfer-encoding", "upgrade",
  ]
  /// What a client must not tell the API, or what the transport adds itself.
  private static let ofClient: Set<String> = [
    "authorization", "dpop", "cookie", "cookie2", "referer", "forwarded", "via", "host", "content-length", "expect",
    "http2-settings",
  ]
  /// What replaces the path at some servers.
  private static let ofPath: Set<String> = ["x-original-url", "x-rewrite-url", "x-original-uri"]
  private static let ofMethod: Set<String> = ["x-http-method", "x-http-method-override", "x-method-override"]
  /// What is true of the API's own address only.
  private static let ofServer: Set<String> = ["set-cookie", "set-cookie2", "alt-svc", "strict-transport-security"]

  /// Returns the fields of a request for the API.
  ///
  /// - Throws: ``GatewayBase/Refusal`` if a field can't be sent, or has an address that could lead elsewhere.
  func request(_ request: ServerRequest, _ passed: GatewayRules.Passed) throws(GatewayBase.Refusal) -> HTTPFields {
    let named = GatewayFields.named(by: request.values("connection"))
    var fields = HTTPFields()
    for (name, value) in request.fields {
      let lower = name.lowercased()
      guard passes(lower), !named.contains(lower) else { continue }
      guard let field = HTTPField.Name(name), HTTPField.isValidValue(value) else {
        throw GatewayBase.Refusal(why: "a header field is not valid")
      }
      guard field != tokenField else { continue }
      let text = lower == "destination" ? try destination(value, request, passed) : value
      fields.append(HTTPField(name: field, value: text))
    }
    return fields
  }

  private func passes(_ name: String) -> Bool {
    // Servers that pass fields in variables can't tell `_` from `-`.
    let name = name.replacing(bytes: "_", with: "-")
    return !GatewayFields.ofConnection.contains(name) && !GatewayFields.ofClient.contains(name)
      && !GatewayFields.ofPath.contains(name)
      && !name.starts(withBytes: "x-forwarded-") && !(!allowances.isEmpty && GatewayFields.ofMethod.contains(name))
  }

  /// Returns the address at the API for that of WebDAV's `Destination`, which is the proxy's.
  private func destination(
    _ value: String, _ request: ServerRequest, _ passed: GatewayRules.Passed
  ) throws(GatewayBase.Refusal) -> String {
    let host = request.value("host") ?? ""
    let rooted = value.dropping(prefix: "http://\(host)") ?? value[...]
    guard let target = rooted.dropping(prefix: passed.prefix), target.starts(withBytes: "/") else {
      throw GatewayBase.Refusal(why: "Destination is not an address of the proxy")
    }
    let path = folder + target.prefix(upToAny: "?")
    guard allowances.isEmpty || allowances.contains(where: { $0.permits(request.method, path) }) else {
      throw GatewayBase.Refusal(why: "no --allow permits this Destination")
    }
    return try base.url(for: target).string
  }

  /// Returns the fields of the API's response for the client.
  ///
  /// - Parameter origin: the proxy's own, as the client writes it.
  func response(
    _ response: TransferResponse, for passed: GatewayRules.Passed, at origin: String
  ) -> [(name: String, value: String)] {
    let named = GatewayFields.named(by: response.fields.filter { $0.name.canonicalName == "connection" }.map(\.value))
    var fields: [(name: String, value: String)] = []
    for field in response.fields {
      let lower = field.name.canonicalName
      guard !GatewayFields.ofConnection.contains(lower), !GatewayFields.ofServer.contains(lower),
        !named.contains(lower), passed.origin == nil || !lower.starts(withBytes: "access-control-"),
        lower != "content-length" || hasLength(response, fields)
      else { continue }
      let value =
        switch lower {
        case "location", "content-location": translated(field.value, passed, origin)
        case "link": links(field.value, passed, origin)
        default: field.value
        }
      fields.append((field.name.rawName, GatewayFields.printable(value)))
    }
    return fields + (passed.origin.map(GatewayAnswer.sharing(with:)) ?? []).map { ($0.name, $0.value) }
  }

  /// Whether the next `Content-Length` of a response is that of its body: some servers send one with a response without
  /// content (RFC 9110, section 8.6), with a body in chunks (RFC 9112, section 6.3), or twice.
  private func hasLength(_ response: TransferResponse, _ former: [(name: String, value: String)]) -> Bool {
    let isKnown = former.contains { $0.name.lowercased() == "content-length" }
    return response.status != 204 && response.fields[.transferEncoding] == nil
      && !(isKnown && Set(response.fields[values: .contentLength]).count == 1)
  }

  /// Returns a value without control characters, which servers send and clients refuse (RFC 9110, section 5.5).
  private static func printable(_ value: String) -> String {
    guard value.utf8.contains(where: isControl) else { return value }
    return String(decoding: value.utf8.map { isControl($0) ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
  }

  private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }

  /// Returns the client's address for one of the API. Those of other addresses become whole URLs, and those that are
  /// relative to the path stay as they are.
  private func translated(_ reference: some StringProtocol, _ passed: GatewayRules.Passed, _ origin: String) -> String {
    guard let whole = base.absolute(reference) else { return String(reference) }
    guard let rest = base.rest(of: whole) else { return whole }
    let path = passed.prefix + rest
    let rooted = (path.starts(withBytes: "/") ? "" : "/") + path
    return reference.starts(withBytes: "/") ? rooted : origin + rooted
  }

  /// Translates the addresses in angle brackets (RFC 8288, section 3).
  private func links(_ value: String, _ passed: GatewayRules.Passed, _ origin: String) -> String {
    var (result, rest) = ("", value[...])
    while let open = rest.firstIndex(ofAny: "<"), let close = rest[open...].firstIndex(ofAny: ">") {
      let inside = rest.suffix(after: open).prefix(upToAny: ">")
      result += rest[..<open] + "<" + translated(inside, passed, origin)
      rest = rest[close...]
    }
    return result + rest
  }

  /// The names of fields that `Connection` declares to be of one connection only.
  private static func named(by values: [String]) -> Set<String> {
    Set(values.flatMap { $0.split(atAny: ", \t") }.map { $0.lowercased() })
  }
}
