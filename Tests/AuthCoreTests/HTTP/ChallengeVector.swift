import Testing

@testable import AuthCore

/// One value of `WWW-Authenticate`, and the challenges in it.
struct ChallengeVector: Sendable, CustomTestStringConvertible {
  let name: String
  let fields: [String]
  /// The challenges as ``text(_:)`` writes them.
  let expected: [String]

  init(_ name: String, _ fields: String..., is expected: [String]) {
    self.name = name
    self.fields = fields
    self.expected = expected
  }

  var testDescription: String { name }

  /// A challenge as its scheme, then its `token68` or its parameters: `newauth ‹realm›apps ‹type›1`.
  static func text(_ challenge: Challenge) -> String {
    ([challenge.scheme] + (challenge.token68.map { ["=" + $0] } ?? [])
      + challenge.parameters.map { "‹\($0.name)›\($0.value)" }).joined(separator: " ")
  }
}
