import AuthCore

/// A token of a recorded flow, to be followed through the diagram by its colour.
struct FlowToken: Sendable, Equatable {
  /// How many hues there are, for the background and for the edge of a token.
  static let hues = 24
  /// How many tokens can be followed.
  private static let most = 24

  /// The eight hexadecimal digits.
  let fingerprint: String

  /// Returns the tokens of the steps, in the order in which they first occur.
  static func all(in sequence: FlowSequence) -> [FlowToken] {
    var tokens: [FlowToken] = []
    for fingerprint in sequence.steps.flatMap({ FlowText.pieces(of: $0.text) }).compactMap(\.fingerprint) {
      let token = FlowToken(fingerprint: fingerprint)
      if tokens.count < most, !tokens.contains(token) { tokens.append(token) }
    }
    return tokens
  }

  /// Returns the classes of a token's colours, which depend on its fingerprint alone.
  static func style(of fingerprint: String) -> String {
    let number = Int(fingerprint, radix: 16) ?? 0
    return "h\(number / hues % hues) s\(number % hues)"
  }

  /// The token as an element in its colours.
  var chip: String { HTML.withTokens("‹\(fingerprint)›") }
}
