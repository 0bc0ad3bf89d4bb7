import AuthCore
import FoundationEssentials

/// The connection options of the command line of `call`, which override the profile's `[network]`.
struct NetworkArguments: Sendable, Equatable {
  /// The time limit of a request; zero for none, nil for the profile's.
  let maxTime: Duration?
  /// The time limit of connecting; zero for none, nil for the profile's.
  let connectTimeout: Duration?
  /// The HTTP version.
  let version: NetworkOptions.Version?
  /// The kind of addresses to connect to; nil for both.
  let addresses: NetworkOptions.AddressFamily?
  /// The file of trusted certificate authorities.
  let cacert: String?
  /// The file of the client certificate.
  let certificate: String?
  /// The file of the certificate's private key.
  let key: String?
  /// The proxy; empty for none.
  let proxy: String?
  /// The hosts that need no proxy.
  let noProxy: String?
  /// The local socket to connect to.
  let unixSocket: String?
  /// The addresses of hosts.
  let resolve: [String]

  /// - Throws: ``AuthError/usage(_:)`` if a value is unusable, or contains a password.
  init(_ invocation: Invocation) throws(AuthError) {
    maxTime = invocation.duration(CallOptions.maxTime)
    connectTimeout = invocation.duration(CallOptions.connectTimeout)
    // As in curl, the last one applies.
    version = invocation.occurrences.lazy.compactMap { NetworkArguments.version($0.option) }.last
    addresses = invocation.occurrences.lazy.compactMap { NetworkArguments.addresses($0.option) }.last
    cacert = invocation.value(CallOptions.cacert)
    certificate = try NetworkArguments.certificate(invocation)
    key = invocation.value(CallOptions.key)
    proxy = try NetworkArguments.proxy(invocation)
    noProxy = invocation.value(CallOptions.noproxy)
    unixSocket = try NetworkArguments.unixSocket(invocation)
    resolve = try invocation.values(CallOptions.resolve).map(NetworkArguments.checked)
  }

  /// Refuses a file of certificate authorities that does not exist, before anything is sent.
  ///
  /// - Throws: ``AuthError/usage(_:)``.
  func checkFiles() throws(AuthError) {
    guard let cacert, !FileManager.default.fileExists(atPath: cacert) else { return }
    throw .usage("--cacert \(Escaped.text(cacert))", why: "there is no such file", hint: "check the path")
  }

  /// Returns the connection options of a profile, overridden by these.
  func options(of profile: Profile?) -> NetworkOptions {
    var network = profile?.network ?? NetworkOptions()
    // As in curl, zero removes the limit; the transport still limits the time for a connection.
    if let maxTime { network.timeout = maxTime == .zero ? nil : maxTime }
    if let connectTimeout { network.connectTimeout = connectTimeout == .zero ? nil : connectTimeout }
    network.version = version ?? network.version
    network.addresses = addresses ?? network.addresses
    network.cacert = cacert ?? network.cacert
    if let certificate {
      network.clientCertificate = certificate
      // The profile's key belongs to the profile's certificate.
      network.clientKey = nil
    }
    network.clientKey = key ?? network.clientKey
    network.proxy = proxy ?? network.proxy
    network.noProxy = noProxy ?? network.noProxy
    network.unixSocket = unixSocket ?? network.unixSocket
    network.resolve += resolve
    return network
  }

  private static func version(_ option: Option) -> NetworkOptions.Version? {
    switch option {
    case CallOptions.http1: .http1
    case CallOptions.http2: .http2
    default: nil
    }
  }

  private static func addresses(_ option: Option) -> NetworkOptions.AddressFamily? {
    switch option {
    case CallOptions.ipv4: .ipv4
    case CallOptions.ipv6: .ipv6
    default: nil
    }
  }

  private static func certificate(_ invocation: Invocation) throws(AuthError) -> String? {
    guard let text = invocation.value(CallOptions.cert) else { return nil }
    guard let path = CertificateName(text).path else {
      throw .usage(
        "-E FILE:PASSWORD", why: "all users of this machine can read a password on the command line",
        hint: "use -E FILE and enter the password when prompted; write a colon in the name as \\:")
    }
    return path
  }

  private static func proxy(_ invocation: Invocation) throws(AuthError) -> String? {
    guard let text = invocation.value(CallOptions.proxy) else { return nil }
    try ProxySettings.refuseUserInformation(in: [text], of: "-x")
    return text
  }

  private static func unixSocket(_ invocation: Invocation) throws(AuthError) -> String? {
    guard let path = invocation.value(CallOptions.unixSocket) else { return nil }
    // The kernel's limit (sockaddr_un), with the zero at the end.
    guard !path.isEmpty, path.utf8.count < 108 else {
      throw .usage("--unix-socket", why: "its path is empty or longer than 107 bytes", hint: "use a shorter path")
    }
    return path
  }

  /// Refuses an entry that libcurl would refuse only when the request is sent, and without a reason.
  private static func checked(_ text: String) throws(AuthError) -> String {
    let parts = (text.dropping(prefix: "+") ?? text[...]).split(
      atAny: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, UInt16(parts[1]) != nil,
      parts[2].split(atAny: ",", omittingEmptySubsequences: false).allSatisfy(isAddress)
    else {
      throw .usage(
        "--resolve \(Escaped.text(text, limit: 80))", why: "it is not HOST:PORT:ADDRESS",
        hint: "use --resolve api.example.com:443:192.0.2.1")
    }
    return text
  }

  private static func isAddress(_ text: Substring) -> Bool {
    let inside = text.dropping(prefix: "[")?.dropping(suffix: "]")
    let address = inside ?? text
    if address.contains(bytes: ":") { return address.drop(anyOf: "0123456789abcdefABCDEF:.").isEmpty }
    let numbers = address.split(atAny: ".", omittingEmptySubsequences: false)
    return inside == nil && numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
  }
}

/// The value of `-E`, as curl reads it: a file, and after a colon the password of its key.
struct CertificateName: Sendable, Equatable {
  /// The file's path; nil if a password follows it.
  let path: String?

  /// Parses the value: `\:` is a colon and `\\` a backslash of the path.
  init(_ text: String) {
    var path = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\\" where rest.first == ":" || rest.first == "\\": path.unicodeScalars.append(rest.removeFirst())
      case ":":
        self.path = nil
        return
      default: path.unicodeScalars.append(scalar)
      }
    }
    self.path = path
  }
}
