import AuthCore

extension CallOptions {
  /// The options that show a request, or the flow of its token.
  static let allInspection = [printCurl, simulate] + Option.allTrace

  static let printCurl = Option(
    "print-curl", summary: "print the curl command line instead of sending",
    detail: """
      Sends nothing and needs no login. The line is for a shell; `"$TOKEN"` in it stands for the token. The profile's \
      `[network]` settings become options. The origin is checked as for a request (exit status 7). An option without \
      an equivalent in curl is refused, and so is a profile with `dpop`. See PRINTED CURL LINES.
      """)
  static let simulate = Option(
    "simulate", .choice("FAILURE", TokenSimulation.allCases.map(\.rawValue)),
    summary: "simulate an expired or refused token",
    detail: """
      With `expired`, the stored token counts as expired. With `refused`, the first request carries an altered token, \
      which the API refuses. The refresh that follows is real, and the session is valid afterwards. Use `-v` to see \
      each step.
      """)
}
