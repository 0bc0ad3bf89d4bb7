/// A step of the browser in which a user logs in: it opens the authorization page, or returns from it.
package struct TraceVisit: Sendable, Equatable, Codable {
  /// The step as text.
  package var note: String
  /// The authorization endpoint, or the redirect URI that the browser has returned to.
  package var url: String
  /// The fields of the authorization request (RFC 6749, section 4.1.1), also of one that was pushed.
  package var fields: [TraceExchange.Field]
  /// Whether the browser has returned.
  package var isReturn: Bool

  /// Creates the step.
  package init(note: String, url: String, fields: [TraceExchange.Field] = [], isReturn: Bool = false) {
    self.note = note
    self.url = url
    self.fields = fields
    self.isReturn = isReturn
  }

  /// The fields that tell what was requested, in the order of this list.
  private static let shown = ["client_id", "scope", "resource", "redirect_uri", "state"]

  /// The request or the return on one line.
  package var line: String {
    guard !isReturn else { return "return to \(url)" }
    let named = TraceVisit.shown.flatMap { name in fields.filter { $0.name == name } }
    return (["GET \(path)"] + named.map { "\($0.name)=\($0.value)" }).joined(separator: " ")
  }

  /// The path of the authorization endpoint.
  private var path: String { (try? WebURL(url))?.path ?? "" }

  /// The host and port of the authorization endpoint.
  var host: String { TraceExchange(role: .server, method: "GET", url: url).host }
}
