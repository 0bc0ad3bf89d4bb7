/// A request as it came in, for the assertions of tests.
struct RequestRecord: Sendable {
  /// The head.
  let request: Request
  /// The endpoint's name in counters and faults.
  let endpoint: String
  /// The form that was sent to an endpoint of the authorization server.
  let form: String?
  /// The time of arrival, in seconds since 1970.
  let receivedAt: Double
  /// The status of the answer; nil as long as there is none.
  var status: Int?

  /// The record as `/control/last` shows it.
  var json: JSONValue {
    [
      "endpoint": .string(endpoint), "method": .string(request.method), "target": .string(request.target),
      "path": .string(request.path),
      "headers": .array(request.headers.fields.map { [.string($0.name), .string($0.value)] }),
      "form": form.map { .string($0) } ?? .null, "received_at": .number(receivedAt),
      "status": status.map { .integer($0) } ?? .null,
    ]
  }
}
