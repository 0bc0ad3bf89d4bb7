extension CallOptions {
  /// Sending again what failed for a moment.
  static let allRetry = [retry, retryDelay, retryMaxTime, retryConnrefused, retryAllErrors, retryUnsafe]

  static let retry = Option(
    "retry", .number("TIMES", 0...1_000_000), summary: "send again what failed for a moment",
    detail: """
      That is: no connection, a broken one, a time limit that ran out, and the statuses 408, 429, 500, 502, 503 and 504; \
      for the methods GET, HEAD, OPTIONS, TRACE, PUT and DELETE only, which do no harm twice (RFC 9110, section 9.2.2). \
      The pauses are 1 s, 2 s, 4 s … up to 10 minutes, each shortened by up to half by chance; `Retry-After` of the \
      answer says otherwise, but where it asks for more than 10 minutes, the answer is the answer. Nothing of a failed \
      try is printed or kept; once an answer that counts has begun, nothing is sent again. A body is sent whole each \
      time. The renewal of a token that the API refuses does not count.
      """)
  static let retryDelay = Option(
    "retry-delay", .duration("SECONDS"), summary: "pause so long before each retry",
    detail: "Zero means the pauses of `--retry`. A `Retry-After` of the answer goes before it.")
  static let retryMaxTime = Option(
    "retry-max-time", .duration("SECONDS"), summary: "retry for so long only",
    detail: "Counted from the first try on; zero means without an end. A single try is limited by `--max-time`.")
  static let retryConnrefused = Option(
    "retry-connrefused", summary: "with --retry, also any method that found no connection",
    detail: "Nothing of the request was sent then, so that a `POST` can go out again as well.")
  static let retryAllErrors = Option(
    "retry-all-errors", summary: "with --retry, after any failure",
    detail: "After every status of 400 or more, too, and where the TLS handshake fails.")
  static let retryUnsafe = Option(
    "retry-unsafe", summary: "with --retry, whatever the method",
    detail: "A `POST` whose answer got lost may then do its work twice.")
}
