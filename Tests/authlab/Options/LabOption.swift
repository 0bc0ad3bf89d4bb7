import Foundation

/// One option of the command line; parser and help are made from the list.
struct LabOption: Sendable {
  /// The name without dashes.
  let name: String
  /// What stands for the value in the help; nil for a switch.
  let placeholder: String?
  /// One line of help.
  let help: String
  /// Carries the value over; false when it can't be used.
  let apply: @Sendable (inout LabOptions, String) -> Bool

  /// All options in the order of the help.
  static let all: [LabOption] =
    [
      LabOption(name: "port", placeholder: "N", help: "the port on 127.0.0.1; 0, the default, chooses a free one") {
        guard let port = UInt16($1) else { return false }
        $0.port = port
        return true
      },
      LabOption(name: "origin", placeholder: "URL", help: "announce this instead of http://127.0.0.1:PORT") {
        $0.origin = $1
        return URLComponents(string: $1)?.host != nil
      },
      number("access-lifetime", "the life of access tokens, fractions allowed (10)") {
        $0.settings.accessLifetime = $1
      },
      number("refresh-lifetime", "the life of refresh tokens (3600)") { $0.settings.refreshLifetime = $1 },
      LabOption(name: "reuse", placeholder: "POLICY", help: "a spent refresh token: strict (default), one-use, none") {
        guard let policy = ReusePolicy(rawValue: $1) else { return false }
        $0.settings.reuse = policy
        return true
      },
      LabOption(name: "client", placeholder: "ID[:SECRET]", help: "one more client; public without a secret") {
        let parts = $1.split(separator: ":", maxSplits: 1).map(String.init)
        guard let id = parts.first else { return false }
        $0.clients.append(Client(id: id, secret: parts.count > 1 ? parts[1] : nil))
        return true
      },
      LabOption(name: "key-client", placeholder: "ID:FILE", help: "one more client, by its public key in PEM") {
        let parts = $1.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let key = AssertionVerifier(file: parts[1]) else { return false }
        $0.clients.append(Client(id: parts[0], secret: nil, key: key))
        return true
      },
      LabOption(name: "user", placeholder: "NAME:PASSWORD", help: "one more user beside alice:alice-pass") {
        let parts = $1.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return false }
        $0.users.append(User(name: parts[0], password: parts[1]))
        return true
      },
      LabOption(name: "redirect-uri", placeholder: "URI", help: "accept this redirect URI only; may be repeated") {
        $0.settings.redirectUris.append($1)
        return true
      },
      LabOption(name: "registration-token", placeholder: "TOKEN", help: "clients register with this token only") {
        $0.settings.registration = true
        $0.settings.registrationToken = $1
        return true
      },
    ] + switches

  private static let switches: [LabOption] = [
    toggle("exact-redirect-uri", "compare the port of loopback redirect URIs too") {
      $0.settings.exactRedirectUri = true
    },
    toggle("grant-without-page", "redirect with a code at once, without a page") {
      $0.settings.grantWithoutPage = true
    },
    toggle("registration", "clients can register (RFC 7591) and end that (RFC 7592)") {
      $0.settings.registration = true
    },
    toggle("jwt-access-tokens", "access tokens are signed JWTs") { $0.settings.jwtAccessTokens = true },
    toggle("no-expires-in", "token responses lack expires_in") { $0.settings.expiresIn = .absent },
    toggle("expires-in-string", "expires_in is a string") { $0.settings.expiresIn = .string },
    toggle("omit-token-type", "token responses lack token_type") { $0.settings.tokenType = "" },
    toggle("no-refresh-token-in-refresh", "a refresh answers without a refresh token") {
      $0.settings.refreshTokenInRefresh = false
    },
    toggle("exit-with-stdin", "end when standard input ends") { $0.exitsWithStdin = true },
    toggle("log", "report each request on stderr") { $0.settings.log = true },
    toggle("help", "show this help") { $0.wantsHelp = true },
  ]

  private static func toggle(
    _ name: String, _ help: String, _ apply: @escaping @Sendable (inout LabOptions) -> Void
  ) -> LabOption {
    LabOption(name: name, placeholder: nil, help: help) { options, _ in
      apply(&options)
      return true
    }
  }

  private static func number(
    _ name: String, _ help: String, _ apply: @escaping @Sendable (inout LabOptions, Double) -> Void
  ) -> LabOption {
    LabOption(name: name, placeholder: "SECONDS", help: help) {
      guard let seconds = Double($1), seconds > 0, seconds.isFinite else { return false }
      apply(&$0, seconds)
      return true
    }
  }
}
