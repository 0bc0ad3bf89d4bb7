import AuthCore
import Glibc

extension Command {
  static let proxy = Command(
    name: "proxy", summary: "let other programs call the API, without the token",
    operands: [Operand("PROFILE|URL", optional: true, completion: .profile)],
    manual: Manual(PackageResources.proxy_md), options: ProxyOptions.all)
}

extension RunnableCommand {
  static let proxy = RunnableCommand(.proxy, ProxyArguments.init) { try await ProxyRun($0, $1).run() }
}

/// The options of `proxy`.
enum ProxyOptions {
  static let listen = Option("listen", .text("ADDRESS"), summary: "listen there instead of on a free port")
  static let allow = Option(
    "allow", .text("REQUEST"), repeats: true, summary: "pass only requests like 'GET /v1/*'")
  static let allowOrigin = Option(
    "allow-origin", .text("ORIGIN"), repeats: true, summary: "let web pages of this origin send requests")
  static let allowUser = Option(
    "allow-uid", .number("UID", 0...Int(UInt32.max)), repeats: true, summary: "let processes of this user send requests"
  )
  static let keyFile = Option("key-file", .file("FILE"), summary: "read the key from this file")
  static let keyCredential = Option(
    "key-credential", .text("NAME"), summary: "read the key from a credential of the systemd service")
  static let replayBuffer = Option(
    "replay-buffer", .number("BYTES", 0...(1 << 30)), summary: "keep bodies up to this size in memory")

  static let all = [listen, allow, allowOrigin, allowUser, keyFile, keyCredential, replayBuffer]
}

/// The command line of `proxy`.
struct ProxyArguments: Sendable {
  /// The profile, unless the address selects it.
  let profile: ProfileSelection
  /// The address at the API; nil for the only `api` of the profile.
  let address: WebURL?
  /// Where to listen.
  let place: GatewayListener.Place
  /// The requests that pass; empty for all.
  let allowances: [GatewayAllowance]
  /// The web origins that may send requests.
  let origins: Set<Origin>
  /// The users whose processes may send requests.
  let users: Set<UInt32>
  /// The file with the key, or `credential:NAME`; nil for a new key.
  let key: String?
  /// The size of a body, in bytes, up to which it is kept in memory.
  let replayBuffer: Int

  /// - Throws: ``AuthError/usage(_:)``.
  init(_ invocation: Invocation) throws(AuthError) {
    let operand = invocation.operands.first
    let isAddress = operand.map { $0.contains(bytes: "://") } ?? false
    profile = try ProfileSelection(invocation, operands: isAddress ? [] : invocation.operands)
    address = try isAddress ? ProxyArguments.address(operand ?? "") : nil
    place = try GatewayListener.Place(invocation.value(ProxyOptions.listen) ?? "127.0.0.1:0")
    allowances = try invocation.values(ProxyOptions.allow).map { text throws(AuthError) in
      try GatewayAllowance(text)
    }
    origins = Set(
      try invocation.values(ProxyOptions.allowOrigin).map { text throws(AuthError) in
        try ProxyArguments.origin(text)
      })
    let others = invocation.values(ProxyOptions.allowUser).compactMap { UInt32($0) }
    users = Set(others + [geteuid()])
    let (file, credential) = (invocation.value(ProxyOptions.keyFile), invocation.value(ProxyOptions.keyCredential))
    guard file == nil || credential == nil else {
      throw .usage("--key-credential", why: "--key-file is given, too", hint: "remove one of them")
    }
    key = file ?? credential.map { "credential:\($0)" }
    if let key, !SecretFile.isUsable(key) {
      throw .usage(
        "--key-credential", why: "it is not the name of a credential", hint: "use the name in LoadCredential=")
    }
    replayBuffer = invocation.value(ProxyOptions.replayBuffer).flatMap { Int($0) } ?? 64 << 10
  }

  private static func address(_ text: String) throws(AuthError) -> WebURL {
    let url = try CallTarget.url(text)
    guard url.query == nil else {
      throw .usage(Escaped.text(text), why: "it has a query", hint: "paths are appended to it: use one without ?")
    }
    return url
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
