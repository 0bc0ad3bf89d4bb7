/// Settings of connections: proxy, certificates, timeouts.
public struct NetworkOptions: Sendable, Equatable {
  /// A version of HTTP.
  public enum Version: Sendable, Equatable {
    /// HTTP/1.1 only.
    case http1
    /// HTTP/2, also over plain HTTP, for which it is requested by an upgrade.
    case http2
  }

  /// A kind of addresses.
  public enum AddressFamily: Sendable, Equatable {
    /// IPv4 only.
    case ipv4
    /// IPv6 only.
    case ipv6
  }

  /// A PEM file of the certificate authorities to trust instead of the system's.
  public var cacert: String?
  /// The proxy's URL; nil uses the environment (`https_proxy`, `no_proxy`, …).
  public var proxy: String?
  /// The hosts that are reached without a proxy, separated by commas; nil uses the environment.
  public var noProxy: String?
  /// The path of a Unix domain socket to connect to instead of the URL's host.
  public var unixSocket: String?
  /// Addresses that replace the results of the resolver: `HOST:PORT:ADDRESS`, as in curl's `--resolve`.
  public var resolve: [String] = []
  /// The HTTP version to use; nil for HTTP/2 over TLS if the server supports it, else HTTP/1.1.
  public var version: Version?
  /// The kind of addresses to connect to; nil for both.
  public var addresses: AddressFamily?
  /// A PEM file with the client's certificate.
  public var clientCertificate: String?
  /// A PEM file with the private key of ``clientCertificate``.
  public var clientKey: String?
  /// The password of ``clientKey``; nil if the key is not encrypted.
  public var clientKeyPassword: Secret?
  /// The timeout for establishing a connection; nil for the transport's default.
  public var connectTimeout: Duration?
  /// The timeout for the whole transfer; nil for no limit.
  public var timeout: Duration?

  /// Creates the options; all are unset unless given.
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
