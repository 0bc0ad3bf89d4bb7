import AuthCore

/// How the connections of a call are made: as the profile says, changed by the command line.
struct CallNetwork: Sendable {
  private let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  /// The options for requests with the token of a profile.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where an option's value is unusable.
  func options(of profile: Profile?) throws(AuthError) -> NetworkOptions {
    var network = profile?.network ?? NetworkOptions()
    network.timeout = try limit(CallOptions.maxTime, else: network.timeout)
    network.connectTimeout = try limit(CallOptions.connectTimeout, else: network.connectTimeout)
    network.version = version ?? network.version
    network.cacert = invocation.value(CallOptions.cacert) ?? network.cacert
    if let certificate = try certificate {
      network.clientCertificate = certificate
      // The profile's key belongs to the profile's certificate.
      network.clientKey = nil
    }
    network.clientKey = invocation.value(CallOptions.key) ?? network.clientKey
    network.proxy = try proxy ?? network.proxy
    network.noProxy = invocation.value(CallOptions.noproxy) ?? network.noProxy
    network.unixSocket = try unixSocket ?? network.unixSocket
    for address in invocation.values(CallOptions.resolve) { network.resolve.append(try CallNetwork.checked(address)) }
    return network
  }

  /// As in curl, zero means no limit of one's own.
  private func limit(_ option: Option, else standard: Duration?) throws(AuthError) -> Duration? {
    guard let limit = try invocation.duration(option) else { return standard }
    return limit == .zero ? nil : limit
  }

  /// The version that is named last, as in curl.
  private var version: NetworkOptions.Version? {
    switch invocation.occurrences.last(where: { [CallOptions.http1, CallOptions.http2].contains($0.option) })?.option {
    case CallOptions.http1: .http1
    case CallOptions.http2: .http2
    default: nil
    }
  }

  private var certificate: String? {
    get throws(AuthError) {
      guard let text = invocation.value(CallOptions.cert) else { return nil }
      guard let path = CertificateName(text).path else {
        throw .usage(
          .init(
            "-E FILE:PASSWORD", why: "all users of this machine can read a password on the command line",
            hint: "use -E FILE and enter the password when prompted; write a colon in the name as \\:"))
      }
      return path
    }
  }

  private var proxy: String? {
    get throws(AuthError) {
      guard let text = invocation.value(CallOptions.proxy) else { return nil }
      guard !text.contains("@") else {
        throw .usage(
          .init(
            "-x",
            why: "it contains user information (…@), which all users of this machine can read on the command line",
            hint: "set it in the environment: https_proxy, or http_proxy for http"))
      }
      return text
    }
  }

  private var unixSocket: String? {
    get throws(AuthError) {
      guard let path = invocation.value(CallOptions.unixSocket) else { return nil }
      // The kernel's limit (sockaddr_un), with the zero at the end.
      guard !path.isEmpty, path.utf8.count < 108 else {
        throw .usage(
          .init("--unix-socket", why: "its path is empty or longer than 107 bytes", hint: "use a shorter path"))
      }
      return path
    }
  }

  /// What libcurl would refuse only when the request is sent, and without saying why.
  private static func checked(_ text: String) throws(AuthError) -> String {
    let parts = text.trimmingPrefix("+").split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, UInt16(parts[1]) != nil,
      parts[2].split(separator: ",", omittingEmptySubsequences: false).allSatisfy(isAddress)
    else {
      throw .usage(
        .init(
          "--resolve \(Escaped.text(text, limit: 80))", why: "it is not HOST:PORT:ADDRESS",
          hint: "use --resolve api.example.com:443:192.0.2.1"))
    }
    return text
  }

  private static func isAddress(_ text: Substring) -> Bool {
    let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
    let address = isBracketed ? text.dropFirst().dropLast() : text
    if address.contains(":") { return address.allSatisfy { $0.isASCII && ($0.isHexDigit || ":.".contains($0)) } }
    let numbers = address.split(separator: ".", omittingEmptySubsequences: false)
    return !isBracketed && numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
  }
}

/// What `-E` names, as curl reads it: a file, and behind a colon its key's password.
struct CertificateName: Sendable, Equatable {
  /// The file's path; nil where a password stands behind it.
  let path: String?

  /// Takes it relauncher: `\:` is a colon and `\\` a backslash of the path.
  init(_ text: String) {
    var path = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      switch character {
      case "\\" where rest.first == ":" || rest.first == "\\": path.append(rest.removeFirst())
      case ":":
        self.path = nil
        return
      default: path.append(character)
      }
    }
    self.path = path
  }
}
