/// The head of an HTTP/1.1 request (RFC 9112, sections 3 and 5).
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
  /// Whether the connection may serve another request (RFC 9112, section 9.3).
  let keepsAlive: Bool

  /// Reads the lines of a head, the request line first, without line ends.
  /// - Throws: `ProtocolError` when they are not a head.
  init(lines: [String]) throws(ProtocolError) {
    let parts = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, parts[2] == "HTTP/1.1" || parts[2] == "HTTP/1.0" else {
      throw ProtocolError(status: 400, reason: "The request line can't be read.")
    }
    var headers = HeaderFields()
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
        throw ProtocolError(status: 400, reason: "A header field has no name.")
      }
      let value = line[line.index(after: colon)...]
      headers.append(String(line[..<colon]), value.trimmingBlanks())
    }
    method = String(parts[0])
    target = Self.originForm(parts[1])
    let question = target.firstIndex(of: "?") ?? target.endIndex
    path = String(target[..<question])
    query = FormFields(target[question...].dropFirst())
    let connection = headers["connection"]?.lowercased()
    keepsAlive = parts[2] == "HTTP/1.1" ? connection != "close" : connection == "keep-alive"
    self.headers = headers
  }

  /// The path and query of a target; a proxy's client sends the absolute form (RFC 9112, section 3.2.2).
  private static func originForm(_ target: Substring) -> String {
    guard target.hasPrefix("http://") else { return String(target) }
    let rest = target.dropFirst("http://".count)
    return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
  }
}

extension Substring {
  /// The text without blanks and tabs at both ends (RFC 9110, section 5.6.3).
  fileprivate func trimmingBlanks() -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
      return ""
    }
    return String(self[first...last])
  }
}
