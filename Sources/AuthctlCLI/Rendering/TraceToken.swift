import AuthCore

/// A token of a trace, to be followed through the diagram by its colour.
struct TraceToken: Sendable, Equatable {
  /// How many tokens have a colour and can be followed.
  private static let most = 24

  /// The eight hexadecimal digits.
  let fingerprint: String

  /// Returns the tokens of the steps, in the order in which they first occur.
  static func all(in sequence: TraceSequence) -> [TraceToken] {
    TraceText.fingerprints(in: sequence.steps.map(\.text)).prefix(most).map { TraceToken(fingerprint: $0) }
  }

  /// Returns the hues of the first tokens, in degrees: each far from those before it. Red, amber and green stand for
  /// the outcome of a step.
  static func hues(of tokens: [TraceToken]) -> [(token: TraceToken, hue: Int)] {
    tokens.enumerated().map { ($1, 178 + Int((Double($0) * 88.4).rounded()) % 143) }
  }
}
