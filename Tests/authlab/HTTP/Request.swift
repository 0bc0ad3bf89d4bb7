import HTTPServer

/// The head of a request.
struct Request: Sendable {
  /// The method, in the spelling of the client.
  let method: String
  /// The request target as sent: path and query.
  let target: String
  /// The path, not decoded.
  let path: String
  /// The fields of the query.
  let query: FormFields
  /// The header fields in their order.
  let headers: HeaderFields

  /// Takes the head of a request.
  init(_ request: ServerRequest) {
    method = request.method
    target = Self.originForm(request.target)
    let question = target.firstIndex(of: "?") ?? target.endIndex
    path = String(target[..<question])
    query = FormFields(target[question...].dropFirst())
    headers = HeaderFields(request.fields)
  }

  /// The path and query of a target; a proxy's client sends the absolute form (RFC 9112, section 3.2.2).
  private static func originForm(_ target: String) -> String {
    guard target.hasPrefix("http://") else { return target }
    let rest = target.dropFirst("http://".count)
    return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
  }
}
