import AuthCore
import Glibc

/// The options of every proxy: of `proxy`, and of `exec --proxy`.
struct GatewayOptions: Sendable {
  static let allow = Option(
    "allow", .text("REQUEST"), repeats: true, summary: "pass only requests like 'GET /v1/*'")
  static let allowUser = Option(
    "allow-uid", .number("UID", 0...Int(UInt32.max)), repeats: true, summary: "let processes of this user send requests"
  )
  static let replayBuffer = Option(
    "replay-buffer", .number("BYTES", 0...(1 << 30)), summary: "keep bodies up to this size in memory")

  static let all = [allow, allowUser, replayBuffer]

  /// The requests that pass; empty for all.
  let allowances: [GatewayAllowance]
  /// The users whose processes may send requests.
  let users: Set<UInt32>
  /// The size of a body, in bytes, up to which it is kept in memory.
  let replayBuffer: Int

  /// - Throws: ``AuthError/usage(_:)``.
  init(_ invocation: Invocation) throws(AuthError) {
    allowances = try invocation.values(GatewayOptions.allow).map { text throws(AuthError) in
      try GatewayAllowance(text)
    }
    users = Set(invocation.values(GatewayOptions.allowUser).compactMap { UInt32($0) } + [geteuid()])
    replayBuffer = invocation.number(GatewayOptions.replayBuffer) ?? 64 << 10
  }
}
