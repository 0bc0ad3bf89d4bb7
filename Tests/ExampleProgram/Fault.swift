/// Lets requests fail at the server of the example.
struct Fault: Encodable {
  /// The endpoint.
  var endpoint: String
  /// How it fails.
  var kind: String
  /// The status of its response.
  var status: Int?
  /// How many requests fail.
  var count: Int
}
