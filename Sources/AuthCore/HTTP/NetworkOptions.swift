/// How connections are made: proxy, certificates, time limits.
public struct NetworkOptions: Sendable, Equatable {
  /// A version of HTTP.
  public enum Version: Sendable, Equatable {
    /// HTTP/1.1 and nothing else.
    case http1
    /// HTTP/2, also where it must be asked for over plain HTTP.
    case http2
  }

  /// A PEM file of the certificate authorities to trust instead of the system's.
  public var cacert: String?
  /// The proxy's URL; nil leaves it to the environment (`https_proxy`, `no_proxy`, …).
  public var proxy: String?
  /// The hosts that are reached without a proxy, with commas between them; nil leaves it to the environment.
  public var noProxy: String?
  /// The path of a socket of this machine to connect to instead of the URL's host.
  public var unixSocket: String?
  /// Addresses to use instead of a resolver's: `HOST:PORT:ADDRESS`, as curl's `--resolve` takes them.
  public var resolve: [String] = []
  /// The version of HTTP to speak; nil for HTTP/2 over TLS where the server knows it, else HTTP/1.1.
  public var version: Version?
  /// A PEM file with the client's certificate.
  public var clientCertificate: String?
  /// A PEM file with the private key of ``clientCertificate``.
  public var clientKey: String?
  /// The password of ``clientKey``, where it is encrypted.
  public var clientKeyPassword: Secret?
  /// How long the making of a connection may take; nil for the transport's own limit.
  public var connectTimeout: Duration?
  /// How long the whole transfer may take; nil for no limit.
  public var timeout: Duration?

  /// Makes the options; all are unset unless given.
  public init(
    cacert: String? = nil, proxy: String? = nil, clientCertificate: String? = nil, clientKey: String? = nil,
    connectTimeout: Duration? = nil, timeout: Duration? = nil
  ) {
    self.cacert = cacert
    self.proxy = proxy
    self.clientCertificate = clientCertificate
    self.clientKey = clientKey
    self.connectTimeout = connectTimeout
    self.timeout = timeout
  }
}
