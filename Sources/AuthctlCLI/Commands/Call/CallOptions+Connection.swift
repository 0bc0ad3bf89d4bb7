extension CallOptions {
  /// How the connection is made, and how long it may take.
  static let allConnection = [
    maxTime, connectTimeout, http1, http2, cacert, cert, key, proxy, noproxy, unixSocket, resolve,
  ]

  static let maxTime = Option(
    "max-time", short: "m", .duration("SECONDS"), summary: "how long the transfer may take",
    detail:
      "Plain seconds, with a fraction if need be, or a duration such as `2m`. Getting the token has its own limits.")
  static let connectTimeout = Option(
    "connect-timeout", .duration("SECONDS"), summary: "how long connecting may take", detail: "30 s unless it is given."
  )
  static let http1 = Option("http1.1", summary: "speak HTTP/1.1")
  static let http2 = Option(
    "http2", summary: "speak HTTP/2",
    detail: "Over https it is spoken anyway where the server knows it; over http the server is asked for it.")
  static let cacert = Option(
    "cacert", .file("FILE"), summary: "trust these certificate authorities instead of the system's",
    detail: "A PEM file. There is no way to leave certificates unchecked.")
  static let cert = Option(
    "cert", short: "E", .file("FILE"), summary: "show this certificate to the server",
    detail: "A PEM file, which may hold the private key, too.")
  static let key = Option(
    "key", .file("FILE"), summary: "the private key of -E",
    detail: "A PEM file. The password of an encrypted key is asked for.")
  static let proxy = Option(
    "proxy", short: "x", .text("PROXY"), summary: "use this proxy",
    detail: """
      Empty: no proxy, whatever `http_proxy` and `https_proxy` say. User name and password of a proxy are taken from \
      these variables only. A token never goes to a proxy of another machine over plain http.
      """)
  static let noproxy = Option(
    "noproxy", .text("HOSTS"), summary: "use no proxy for these hosts",
    detail: "Names with commas between them, `*` for all; instead of `no_proxy`.")
  static let unixSocket = Option(
    "unix-socket", .file("PATH"), summary: "connect to this socket of this machine instead of the address's host")
  static let resolve = Option(
    "resolve", .text("HOST:PORT:ADDRESS"), repeats: true,
    summary: "connect to ADDRESS for HOST and PORT",
    detail: """
      `*` for any host. A `+` in front lets the address go stale as one that was looked up does. A token goes to \
      another machine over https only, whose certificate must fit the host.
      """)
}
