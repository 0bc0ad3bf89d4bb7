extension CallOptions {
  /// How the connection is made, and how long it may take.
  static let allConnection = [maxTime, connectTimeout]

  static let maxTime = Option(
    "max-time", short: "m", .text("SECONDS"), summary: "how long the transfer may take",
    detail:
      "Plain seconds, with a fraction if need be, or a duration such as `2m`. Getting the token has its own limits.")
  static let connectTimeout = Option(
    "connect-timeout", .text("SECONDS"), summary: "how long connecting may take")
}
