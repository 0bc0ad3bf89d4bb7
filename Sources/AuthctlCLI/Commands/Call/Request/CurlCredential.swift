import AuthCore
import HTTPTypes

/// The part of a curl command line that a profile determines: the token and the connection.
struct CurlCredential: Sendable, Equatable {
  /// The words that send the token, quoted for a shell.
  let words: [String]
  /// What a shell sets `TOKEN` to; nil if no token is sent.
  let tokenSource: String?
  /// The options of the connection.
  let network: [String]

  /// - Throws: ``AuthError/usage(_:)`` if curl can't send the token safely.
  init(_ target: CallTarget, _ arguments: CallArguments) throws(AuthError) {
    network = try CurlCredential.network(arguments.network.options(of: target.profile), target.profile)
    switch target.credential {
    // The option -u stays in the line.
    case .none, .password: (words, tokenSource) = ([], nil)
    case .given(_, let header, _):
      words = try CurlCredential.words(header, arguments.redirects)
      tokenSource = "\"$AUTHCTL_ACCESS_TOKEN\""
    case .session(let profile) where profile.type == .basic:
      (words, tokenSource) = (["-u", ShellWord.quoted(profile.username ?? "")], nil)
    case .session(let profile):
      guard !profile.dpop else {
        throw .usage(
          "--print-curl",
          why: "the tokens of \(profile.name) are bound to a key (DPoP), and curl can't create the proofs",
          hint: "use authctl call")
      }
      words = try CurlCredential.words(profile.header, arguments.redirects)
      tokenSource = "$(authctl token --profile \(profile.name))"
    }
  }

  /// Returns the option with the header line. The shell expands `$TOKEN` in it and nothing else.
  private static func words(_ header: TokenHeader, _ redirects: RedirectPolicy) throws(AuthError) -> [String] {
    guard redirects == .response || header.name == .authorization else {
      throw .usage(
        "--print-curl", why: "with -L, curl would send the token in \(header.name.rawName) to other origins, too",
        hint: "remove -L")
    }
    let start = "\(header.name.rawName): " + (header.prefix.isEmpty ? "" : header.prefix + " ")
    // These have a meaning between double quotes; ! has one in an interactive shell.
    guard start.contains(anyOf: "\"$`\\!") || !start.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
      return ["-H", "\"\(start)$TOKEN\""]
    }
    return ["-H", ShellWord.quoted(start) + "\"$TOKEN\""]
  }

  private static func network(_ network: NetworkOptions, _ profile: Profile?) throws(AuthError) -> [String] {
    if network.proxy?.contains(bytes: "@") == true {
      throw .usage(
        "--print-curl", why: "the proxy\(profile.map { " of \($0.name)" } ?? "") has a user name and a password",
        hint: "set it in the environment instead: https_proxy, or http_proxy for http")
    }
    return CallOptions.settings.flatMap { $0.words(network) }
  }
}
