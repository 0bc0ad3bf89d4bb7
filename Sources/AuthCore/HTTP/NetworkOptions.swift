/// How connections are made: proxy, certificates, time limits.
public struct NetworkOptions: Sendable, Equatable {
  /// A PEM file of the certificate authorities to trust instead of the system's.
  public var cacert: String?
  /// The proxy's URL; nil leaves it to the environment (`https_proxy`, `no_proxy`, …).
  public var proxy: String?
  /// A PEM file with the client's certificate.
  public var clientCertificate: String?
  /// A PEM file with the private key of ``clientCertificate``.
  public var clientKey: String?
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
