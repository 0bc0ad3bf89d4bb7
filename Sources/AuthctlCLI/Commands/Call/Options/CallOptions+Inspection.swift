import AuthCore

extension CallOptions {
  /// The options that show the flow of a request's token.
  static let allInspection = [simulate]

  static let simulate = Option(
    "simulate", .choice("FAILURE", TokenSimulation.allCases.map(\.rawValue)),
    summary: "simulate an expired or refused token",
    detail: """
      With `expired`, the stored token counts as expired. With `refused`, the first request carries an altered token, \
      which the API refuses. The refresh that follows is real, and the session is valid afterwards. Use `-v` to see \
      each step.
      """)
}
