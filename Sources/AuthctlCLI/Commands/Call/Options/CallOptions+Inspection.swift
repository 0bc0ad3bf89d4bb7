import AuthCore

extension CallOptions {
  /// The options that show a request, or the flow of its token.
  static let allInspection = [printCurl, simulate] + Option.allTrace

  static let printCurl = Option("print-curl", summary: "print the curl command line instead of sending")
  static let simulate = Option(
    "simulate", .choice("FAILURE", TokenSimulation.allCases.map(\.rawValue)),
    summary: "simulate an expired or refused token")
}
