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
    "http2-settings", "origin",
  ]
  /// What replaces the path at some servers.
  private static let ofPath: Set<String> = ["x-original-url", "x-rewrite-url", "x-original-uri"]
  private static let ofMethod: Set<String> = ["x-http-method", "x-http-method-override", "x-method-override"]
  /// What is true of the API's own address only.
  private static let ofServer: Set<String> = [
    "set-cookie", "set-cookie2", "alt-svc", "strict-transport-security", "clear-site-data", "service-worker-allowed",
  ]

  /// Methods of WebDAV whose responses list resources by their paths.
  private static let listing: Set<String> = ["PROPFIND", "REPORT", "SEARCH"]

  /// Returns the answer to a request whose response a client would misunderstand, because the paths in it, which the
  /// proxy does not change, are not those of the client: it would find an empty folder, and delete the other copy.
  func refusal(of request: ServerRequest, _ passed: GatewayRules.Passed) -> GatewayAnswer? {
    guard GatewayFields.listing.contains(request.method.uppercased()),
      !(passed.prefix.isEmpty && base.url.folder.isEmpty)
    else { return nil }
    return .refused(
      403,
      "a response to \(request.method) has paths of the API: use the API's root as the proxy's address, and give the "
        + "key as a bearer token or password")
  }

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
      let text =
        switch lower {
        case "destination": try destination(value, request, passed)
        case "if": try conditions(value, request, passed)
        default: value
        }
      fields.append(HTTPField(name: field, value: text))
    }
    return fields
  }

  private func passes(_ name: String) -> Bool {
    // Servers that pass fields in variables can't tell `_` from `-`.
    let name = name.replacing(bytes: "_", with: "-")
    return !GatewayFields.ofConnection.contains(name) && !GatewayFields.ofClient.contains(name)
      && !GatewayFields.ofPath.contains(name)
      && !["x-forwarded-", "sec-fetch-", "access-control-request-"].contains(where: { name.starts(withBytes: $0) })
      && !(!allowances.isEmpty && GatewayFields.ofMethod.contains(name))
  }

  /// Returns the target for an address of the proxy.
  private func target(
    _ address: some StringProtocol, _ name: String, _ request: ServerRequest, _ passed: GatewayRules.Passed
  ) throws(GatewayBase.Refusal) -> Substring {
    let whole = String(address)
    let rooted = whole.dropping(prefix: "http://\(request.value("host") ?? "")") ?? whole[...]
    guard let target = rooted.dropping(prefix: passed.prefix), target.starts(withBytes: "/") else {
      throw GatewayBase.Refusal(why: "\(name) is not an address of the proxy")
    }
    return target
  }

  /// Returns WebDAV's `If` with the addresses of resources at the API (RFC 4918, section 10.4). Lock tokens,
  /// which are in angle brackets, too, stay.
  private func conditions(
    _ value: String, _ request: ServerRequest, _ passed: GatewayRules.Passed
  ) throws(GatewayBase.Refusal) -> String {
    try GatewayFields.replacingReferences(in: value) { reference throws(GatewayBase.Refusal) in
      guard reference.starts(withBytes: "http:") || reference.starts(withBytes: "/") else { return String(reference) }
      return try base.url(for: target(reference, "a resource in If", request, passed)).string
    }
  }

  /// Returns the address at the API for that of WebDAV's `Destination`, which is the proxy's.
  private func destination(
    _ value: String, _ request: ServerRequest, _ passed: GatewayRules.Passed
  ) throws(GatewayBase.Refusal) -> String {
    let target = try target(value, "Destination", request, passed)
    guard allowances.permit(request.method, folder + target.prefix(upToAny: "?")) else {
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
      let lower = field.name.canonicalName.replacing(bytes: "_", with: "-")
      guard !GatewayFields.ofConnection.contains(lower), !GatewayFields.ofServer.contains(lower),
        !named.contains(lower), passed.origin == nil || !lower.starts(withBytes: "access-control-"),
        lower != "content-length" || hasLength(response, fields)
      else { continue }
      let value =
        switch lower {
        case "location", "content-location": translated(field.value, passed, origin)
        case "link": GatewayFields.replacingReferences(in: field.value) { translated($0, passed, origin) }
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
    // A path with two slashes at its start would name another host.
    let isPath = reference.starts(withBytes: "/") && !rooted.starts(withBytes: "//")
    return isPath ? rooted : origin + rooted
  }

  /// Replaces what is in angle brackets (RFC 8288, section 3).
  private static func replacingReferences<Failure: Error>(
    in value: String, _ replacement: (Substring) throws(Failure) -> String
  ) throws(Failure) -> String {
    var (result, rest) = ("", value[...])
    while let open = rest.firstIndex(ofAny: "<"), let close = rest[open...].firstIndex(ofAny: ">") {
      let inside = rest.suffix(after: open).prefix(upToAny: ">")
      result += rest[..<open] + "<" + (try replacement(inside))
      rest = rest[close...]
    }
    return result + rest
  }

  /// The names of fields that `Connection` declares to be of one connection only.
  private static func named(by values: [String]) -> Set<String> {
    Set(values.flatMap { $0.split(atAny: ", \t") }.map { $0.lowercased() })
  }
}
