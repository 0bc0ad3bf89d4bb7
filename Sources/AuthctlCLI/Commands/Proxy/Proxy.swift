import AuthCore

extension Command {
  static let proxy = Command(
    name: "proxy", summary: "let other programs call the API, without the token",
    operands: [Operand("PROFILE|URL", optional: true, repeats: true, completion: .profile)],
    manual: Manual(PackageResources.proxy_md), options: ProxyOptions.all,
    leading: ["listen", "allow", "allow-origin", "key-file", "idle-timeout"])
}

extension RunnableCommand {
  static let proxy = RunnableCommand(.proxy, ProxyArguments.init) { try await ProxyRun($0, $1).run() }
}

/// The options of `proxy`.
enum ProxyOptions {
  static let listen = Option("listen", .text("ADDRESS"), summary: "listen there instead of on a free port")
  static let allowOrigin = Option(
    "allow-origin", .text("ORIGIN"), repeats: true, summary: "let web pages of this origin send requests")
  static let keyFile = Option("key-file", .file("FILE"), summary: "read the key from this file")
  static let keyCredential = Option(
    "key-credential", .text("NAME"), summary: "read the key from a credential of the systemd service")
  static let readyDescriptor = Option(
    "ready-fd", .number("N", 1...65535), summary: "write the address to this file descriptor, too")
  static let idleTimeout = Option(
    "idle-timeout", .duration("DURATION"), summary: "end after this time without a request")

  static let all =
    [listen] + GatewayOptions.all + [allowOrigin, keyFile, keyCredential, readyDescriptor, idleTimeout]
    + Option.allTrace
}

/// The command line of `proxy`.
struct ProxyArguments: Sendable {
  /// The profiles, or the address.
  let choice: GatewayRoutes.Choice
  /// Where to listen; nil for a socket of the service manager, or a free port.
  let place: GatewayListener.Place?
  /// The options of every proxy.
  let gateway: GatewayOptions
  /// The web origins whose pages may send requests.
  let origins: Set<Origin>
  /// The file with the key, or `credential:NAME`; nil for a new key.
  let key: String?
  /// The descriptor that gets the address; nil for none.
  let readyDescriptor: Int32?
  /// The time without a request after which it ends; nil for never.
  let idleTimeout: Duration?

  /// - Throws: ``AuthError/usage(_:)``.
  init(_ invocation: Invocation) throws(AuthError) {
    choice = try GatewayRoutes.Choice(invocation.operands, invocation)
    place = try invocation.value(ProxyOptions.listen).map { text throws(AuthError) in
      try GatewayListener.Place(text)
    }
    gateway = try GatewayOptions(invocation)
    origins = Set(
      try invocation.values(ProxyOptions.allowOrigin).map { text throws(AuthError) in
        try ProxyArguments.origin(text)
      })
    key = try ProxyArguments.key(invocation)
    readyDescriptor = invocation.number(ProxyOptions.readyDescriptor).map { Int32($0) }
    idleTimeout = invocation.duration(ProxyOptions.idleTimeout)
    guard idleTimeout != .zero else {
      throw .usage("--idle-timeout 0", why: "it would end at once", hint: "use a duration, or leave the option out")
    }
  }

  private static func key(_ invocation: Invocation) throws(AuthError) -> String? {
    try invocation.allowOne(of: [ProxyOptions.keyCredential, ProxyOptions.keyFile])
    let credential = invocation.value(ProxyOptions.keyCredential).map { "credential:\($0)" }
    if let credential, !SecretFile.isUsable(credential) {
      throw .usage(
        "--key-credential", why: "it is not the name of a credential", hint: "use the name in LoadCredential=")
    }
    return credential ?? invocation.value(ProxyOptions.keyFile)
  }

  private static func origin(_ text: String) throws(AuthError) -> Origin {
    guard let url = try? WebURL(text), url.pathAndQuery == "/" else {
      throw .usage(
        "--allow-origin \(Escaped.text(text, limit: 120))", why: "it is not an origin",
        hint: "use scheme, host and port, as in http://localhost:5173")
    }
    return url.origin
  }
}
