import AuthCore

/// A token of a recorded flow, to be followed through the diagram by its colour.
struct FlowToken: Sendable, Equatable {
  /// How many tokens have a colour and can be followed.
  private static let most = 24

  /// The eight hexadecimal digits.
  let fingerprint: String

  /// Returns the tokens of the steps, in the order in which they first occur.
  static func all(in sequence: FlowSequence) -> [FlowToken] {
    FlowText.fingerprints(in: sequence.steps.map(\.text)).prefix(most).map { FlowToken(fingerprint: $0) }
  }

  /// Returns the hues of the first tokens, in degrees: each far from those before it. Red, amber and green stand for
  /// the outcome of a step.
  static func hues(of tokens: [FlowToken]) -> [(token: FlowToken, hue: Int)] {
    tokens.enumerated().map { ($1, 178 + Int((Double($0) * 88.4).rounded()) % 143) }
  }
}
