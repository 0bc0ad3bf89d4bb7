import AuthCore

/// Creates the error for a URL at which a login has found nothing usable, with the next command.
struct LoginMiss: Sendable {
  private let address: LoginAddress
  private let misses: [DiscoveryMiss]

  /// - Parameter misses: the places that were tried, with their reasons.
  init(_ address: LoginAddress, _ misses: [DiscoveryMiss]) {
    self.address = address
    self.misses = misses
  }

  /// Prints what was tried, a line for each place, and returns the error.
  ///
  /// If there are no notes, because of `--quiet` or JSON errors, the error itself contains every place.
  func error(reportedTo context: Context) -> AuthError {
    guard misses.count > 1, !context.verbosity.quiet, !context.verbosity.errorsAsJSON else {
      return error(because: misses.sentences)
    }
    for (miss, more) in misses.byReason {
      let reason =
        miss.reason.dropping(prefix: "it returned ") ?? miss.reason.dropping(prefix: "it ") ?? miss.reason[...]
      let others = more == 0 ? "" : ", as at \(more) more address" + (more == 1 ? "" : "es")
      context.note(LoginFact(name: "Tried", value: miss.url.description, source: reason + others))
    }
    let notable = misses.filter { !$0.isStatus }
    return error(because: notable.isEmpty ? "no metadata found" : notable.sentences)
  }

  private func error(because why: String) -> AuthError {
    let what = "discovery of \(address.url.withoutRootSlash)"
    if misses.contains(where: \.isUntrusted) {
      return .tryLater(what, why: why, remedy: .trustCertificate)
    }
    if let miss = misses.first(where: \.isForTLS) {
      return .refused(what, why: miss.sentence, hint: "run: \(LoginAddress.command(address.url.overTLS))")
    }
    if misses.contains(where: \.isPlainHTTP) {
      return .refused(what, why: why, hint: DiscoveryMiss.plainHTTPHint)
    }
    if misses.contains(where: \.isUnsafe) {
      return .refused(
        what, why: why,
        hint: "ask the API's operator; or, with a server that you trust, run: "
          + "authctl login NAME --issuer ISSUER --api \(ShellWord.quoted(address.url.description))")
    }
    if misses.contains(where: \.isTemporary) {
      return .tryLater(what, why: why, hint: "check the address and the network, then run: \(address.command())")
    }
    return .refused(what, why: why, hint: hint)
  }

  private var hint: String {
    if let issuer = misses.lazy.compactMap(\.neighbourIssuer).first {
      return "another API of this host names the server \(WebURL.shown(issuer)); to use it: "
        + address.command("--issuer \(ShellWord.quoted(issuer))")
    }
    if let other = misses.lazy.compactMap(\.otherIssuer).first, let hint = hint(for: other) {
      return hint
    }
    if let target = misses.lazy.compactMap(\.redirect).first {
      return "if the address has moved: \(LoginAddress.command(target))"
    }
    let isRoot = address.url.path == "/"
    return "for an API: \(address.command("--issuer ISSUER")); "
      + (isRoot
        ? "for a server with realms or tenants, add the path of one, as in \(address.url.origin)/realms/NAME"
        : "for a server without metadata: authctl login NAME --template oauth2-endpoints")
  }

  /// Returns the command for an issuer that a document names; nil if it is not a URL.
  private func hint(for issuer: String) -> String? {
    let named = LoginMiss.withTenant(issuer)
    // A text that is not a URL can't be logged in to.
    guard let url = try? WebURL(named), url.origin.isSecure else { return nil }
    let command = LoginAddress.command(url)
    return named == issuer ? "if you trust that issuer: \(command)" : "with the name of your tenant: \(command)"
  }

  /// Returns an issuer with `TENANT` for each name in braces.
  private static func withTenant(_ issuer: String) -> String {
    var parts = issuer.split(atAny: "{", omittingEmptySubsequences: false)
    for index in parts.indices.dropFirst() {
      guard let end = parts[index].firstIndex(ofAny: "}") else { return issuer }
      parts[index] = "TENANT" + parts[index].suffix(after: end)
    }
    return parts.joined()
  }
}
