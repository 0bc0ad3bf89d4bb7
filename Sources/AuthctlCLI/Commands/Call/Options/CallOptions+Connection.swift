extension CallOptions {
  /// The options of the connection and its timeouts.
  static let allConnection = [
    maxTime, connectTimeout, http1, http2, cacert, cert, key, proxy, noproxy, unixSocket, resolve,
    ipv4, ipv6,
  ]

  static let maxTime = Option(
    "max-time", short: "m", .duration("SECONDS"), summary: "limit the time of the whole transfer",
    detail:
      """
      Seconds, also with a fraction, or a duration such as `2m`. Unless given, the profile's `timeout` applies, if it \
      has one. Getting the token has limits of its own.
      """
  )
  static let connectTimeout = Option(
    "connect-timeout", .duration("SECONDS"), summary: "limit the time of connecting", detail: "Unless given: 30 s."
  )
  static let http1 = Option("http1.1", summary: "use HTTP/1.1")
  static let http2 = Option(
    "http2", summary: "use HTTP/2",
    detail: "Over https, HTTP/2 is used anyway if the server supports it. Over http, an upgrade is requested.")
  static let cacert = Option(
    "cacert", .file("FILE"), summary: "trust these CAs instead of the system's",
    detail: "A PEM file of certificate authorities. Certificate checks can't be switched off.")
  static let cert = Option(
    "cert", short: "E", .file("FILE"), summary: "use this client certificate",
    detail: "A PEM file, which may also contain the private key.")
  static let key = Option(
    "key", .file("FILE"), summary: "use this private key with the client certificate",
    detail: "A PEM file. `call` prompts for the password of an encrypted key.")
  static let proxy = Option(
    "proxy", short: "x", .text("PROXY"), summary: "use this proxy",
    detail: """
      An empty value means no proxy, regardless of `http_proxy` and `https_proxy`. A proxy's user name and password \
      are read from these variables only. A token never goes to a proxy on another machine over plain http.
      """)
  static let noproxy = Option(
    "noproxy", .text("HOSTS"), summary: "use no proxy for these hosts",
    detail: "A list with commas, or `*` for all; replaces `no_proxy`.")
  static let unixSocket = Option(
    "unix-socket", .file("PATH"), summary: "connect to this local socket instead of the URL's host")
  static let resolve = Option(
    "resolve", .text("HOST:PORT:ADDRESS"), repeats: true,
    summary: "connect to ADDRESS for HOST and PORT",
    detail: """
      `*` means any host. With a `+` in front, the entry expires like one from DNS. A token goes to another machine \
      over https only, and the certificate must match the host.
      """)
  static let ipv4 = Option("ipv4", short: "4", summary: "connect to IPv4 addresses only")
  static let ipv6 = Option("ipv6", short: "6", summary: "connect to IPv6 addresses only")
}

extension CallOptions {
  /// The options for retries of transient failures.
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
