import Foundation

/// The answer of an endpoint.
struct Response: Sendable {
  /// What follows the head.
  enum Body: Sendable {
    /// These bytes, with their length.
    case data(Data)
    /// This many bytes of a repeating pattern, made while they are sent.
    case pattern(count: Int, chunked: Bool)
  }

  /// The status code (RFC 9110, section 15).
  var status: Int
  /// The header fields that the endpoint sets; the connection adds `Date`, the framing and `Connection`.
  var headers = HeaderFields()
  /// What follows the head.
  var body: Body
  /// The counter that this answer raises, such as `token.refresh_token.ok`.
  var outcome: String

  /// Answers with text of any kind.
  init(_ status: Int, text: String, type: String, outcome: String) {
    self.status = status
    self.outcome = outcome
    body = .data(Data(text.utf8))
    headers.append("Content-Type", type)
  }

  /// Answers with JSON.
  init(_ status: Int = 200, json: JSONValue, outcome: String) {
    self.init(status, text: json.text, type: "application/json", outcome: outcome)
  }

  /// Answers without a body.
  init(empty status: Int, outcome: String) {
    self.status = status
    self.outcome = outcome
    body = .data(Data())
  }

  /// Sends the client elsewhere.
  init(redirect status: Int = 303, to location: String, outcome: String) {
    self.init(empty: status, outcome: outcome)
    headers.append("Location", location)
  }

  /// Adds a header field.
  func adding(_ name: String, _ value: String) -> Response {
    var copy = self
    copy.headers.append(name, value)
    return copy
  }
}
