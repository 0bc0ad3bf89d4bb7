extension CallOptions {
  /// Retries of transient failures.
  static let allRetry = [retry, retryDelay, retryMaxTime, retryConnrefused, retryAllErrors, retryUnsafe]

  static let retry = Option(
    "retry", .number("TIMES", 0...1_000_000), summary: "retry transient failures",
    detail: """
      Transient failures are: no connection, a broken connection, a timeout, and the statuses 408, 429, 500, 502, 503 \
      and 504. Only the idempotent methods GET, HEAD, OPTIONS, TRACE, PUT and DELETE are retried (RFC 9110, section \
      9.2.2). The pauses are 1 s, 2 s, 4 s … up to 10 minutes, each shortened at random by up to half. `Retry-After` \
      overrides them; if it is more than 10 minutes, the response is final. Nothing of a failed attempt is printed or \
      stored. Once a final response has begun, there is no retry. The body is sent whole each time. The replay after a \
      refresh does not count.
      """)
  static let retryDelay = Option(
    "retry-delay", .duration("SECONDS"), summary: "pause this long before each retry",
    detail: "Zero means the pauses of `--retry`. `Retry-After` overrides it.")
  static let retryMaxTime = Option(
    "retry-max-time", .duration("SECONDS"), summary: "stop retrying after this time",
    detail: "Counted from the first attempt; zero means no limit. `--max-time` limits a single attempt.")
  static let retryConnrefused = Option(
    "retry-connrefused", summary: "with --retry, any method if no connection was made",
    detail: "Nothing was sent then, so a `POST` can be retried safely.")
  static let retryAllErrors = Option(
    "retry-all-errors", summary: "with --retry, retry after any failure",
    detail: "Also after every status of 400 or more, and if the TLS handshake fails.")
  static let retryUnsafe = Option(
    "retry-unsafe", summary: "with --retry, retry any method",
    detail: "A `POST` whose response was lost may then take effect twice.")
}
