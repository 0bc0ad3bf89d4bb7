import Testing

/// One cell of the table of what works with what, which the tests print as they run it.
struct Cell: Sendable, CustomTestStringConvertible {
  /// The flow.
  let flow: String
  /// The client authentication, with the algorithm where there is one.
  let authentication: String
  /// The server.
  let server: String

  /// Says that the cell has been run to its end.
  func ran() {
    print("cell | \(flow) | \(authentication) | \(server)")
  }

  var testDescription: String { "\(flow), \(authentication), \(server)" }
}
