import AuthCore

extension CallOptions {
  /// The options of the connection and its timeouts.
  static let allConnection = [
    maxTime, connectTimeout, http1, http2, cacert, cert, key, proxy, noproxy, unixSocket, resolve,
    ipv4, ipv6,
  ]

  static let maxTime = Option(
    "max-time", short: "m", .duration("SECONDS"), summary: "limit the time of the whole transfer")
  static let connectTimeout = Option("connect-timeout", .duration("SECONDS"), summary: "limit the time of connecting")
  static let http1 = Option("http1.1", summary: "use HTTP/1.1")
  static let http2 = Option("http2", summary: "use HTTP/2")
  static let cacert = Option("cacert", .file("FILE"), summary: "trust these CAs instead of the system's")
  static let cert = Option("cert", short: "E", .file("FILE"), summary: "use this client certificate")
  static let key = Option("key", .file("FILE"), summary: "use this private key with the client certificate")
  static let proxy = Option("proxy", short: "x", .text("PROXY"), summary: "use this proxy")
  static let noproxy = Option("noproxy", .text("HOSTS"), summary: "use no proxy for these hosts")
  static let unixSocket = Option(
    "unix-socket", .file("PATH"), summary: "connect to this local socket instead of the URL's host")
  static let resolve = Option(
    "resolve", .text("HOST:PORT:ADDRESS"), repeats: true, summary: "connect to ADDRESS for HOST and PORT")
  static let ipv4 = Option("ipv4", short: "4", summary: "connect to IPv4 addresses only")
  static let ipv6 = Option("ipv6", short: "6", summary: "connect to IPv6 addresses only")

  /// What they set, in the order of a curl line.
  static let settings: [NetworkSetting] = [
    .init(http1, { [$0.version == .http1 ? "" : nil] }) { network, _ in network.version = .http1 },
    .init(http2, { [$0.version == .http2 ? "" : nil] }) { network, _ in network.version = .http2 },
    .init(ipv4, { [$0.addresses == .ipv4 ? "" : nil] }) { network, _ in network.addresses = .ipv4 },
    .init(ipv6, { [$0.addresses == .ipv6 ? "" : nil] }) { network, _ in network.addresses = .ipv6 },
    .init(cacert, { [$0.cacert] }) { $0.cacert = $1 },
    .init(cert, { [$0.clientCertificate.map(CertificateName.written)] }, check: NetworkSetting.certificate) {
      $0.clientCertificate = $1
    },
    .init(key, { [$0.clientKey] }) { $0.clientKey = $1 },
    .init(proxy, { [$0.proxy] }, check: NetworkSetting.proxy) { $0.proxy = $1 },
    .init(noproxy, { [$0.noProxy] }) { $0.noProxy = $1 },
    .init(unixSocket, { [$0.unixSocket] }, check: NetworkSetting.socket) { $0.unixSocket = $1 },
    .init(connectTimeout, { [$0.connectTimeout.map(NetworkSetting.seconds)] }) {
      $0.connectTimeout = NetworkSetting.limit($1)
    },
    .init(maxTime, { [$0.timeout.map(NetworkSetting.seconds)] }) { $0.timeout = NetworkSetting.limit($1) },
    .init(resolve, { $0.resolve }, check: NetworkSetting.address) { $0.resolve.append($1) },
  ]
}

extension CallOptions {
  /// The options for retries of transient failures.
  static let allRetry = [retry, retryDelay, retryMaxTime, retryConnrefused, retryAllErrors, retryUnsafe]

  static let retry = Option("retry", .number("TIMES", 0...1_000_000), summary: "retry transient failures")
  static let retryDelay = Option("retry-delay", .duration("SECONDS"), summary: "pause this long before each retry")
  static let retryMaxTime = Option("retry-max-time", .duration("SECONDS"), summary: "stop retrying after this time")
  static let retryConnrefused = Option(
    "retry-connrefused", summary: "with --retry, any method if no connection was made")
  static let retryAllErrors = Option("retry-all-errors", summary: "with --retry, retry after any failure")
  static let retryUnsafe = Option("retry-unsafe", summary: "with --retry, retry any method")
}
