import AuthCore
import FoundationEssentials
import SystemPackage

/// Checks a readable profile for settings that will fail or are not safe.
struct ProfileChecks: Sendable {
  /// The profile's file.
  let file: String
  /// Resolves the profile's relative paths.
  let absolute: ProfilePaths
  /// The folder of the service's credentials; nil if there is none.
  let credentials: String?
  /// The settings in the file.
  let outline: ProfileOutline
  /// The effective settings.
  let overview: ProfileOverview
  /// The server's metadata; nil if it was not fetched.
  let report: DiscoveryReport?

  /// All findings, the errors first.
  var findings: [ProfileFinding] {
    let all = discovery + missing + server + paths + file(mode: file) + content
    return all.filter { $0.level == .error } + all.filter { $0.level == .warning }
  }

  private var flow: String { overview.string("flow") ?? "" }
  private var isOAuth: Bool { overview.string("type") == ProfileType.oauth2.rawValue }

  private var discovery: [ProfileFinding] {
    guard let report, report.documents.isEmpty else { return [] }
    let isTemporary = report.misses.contains(where: \.isTemporary)
    let reasons = report.misses.map { "\($0.url): \($0.reason)" }.joined(separator: "; ")
    // The endpoints in the file work without metadata.
    guard outline["endpoints.token"] == nil else {
      return [.warning("discovery", reasons, hint: "leave 'issuer' out if the server has no metadata")]
    }
    return [
      .error(
        "discovery", reasons,
        hint: isTemporary
          ? "check the network and the issuer's address; try again later"
          : "use exactly the issuer value that the server publishes, or set [endpoints]",
        status: isTemporary ? .tryLater : .refused)
    ]
  }

  /// The values that the flow needs and that are not set. Unknown if the metadata was not fetched.
  private var missing: [ProfileFinding] {
    var findings: [ProfileFinding] = []
    if outline["api"] == nil {
      findings.append(
        .warning("api", "no API may get the token: call refuses every URL", hint: "add api = [\"https://…\"]"))
    }
    guard isOAuth, outline["issuer"] == nil || report?.documents.isEmpty == false else { return findings }
    var needed = flow == "token" ? [] : ["token"]
    if flow == "browser" { needed.append("authorization") }
    if flow == "device" { needed.append("device_authorization") }
    for name in needed where overview.string("endpoints.\(name)") == nil {
      findings.append(
        .error(
          "endpoints.\(name)", "the flow \(flow) needs it, and neither the file nor the server has it",
          hint: "add \(name) = \"https://…\" to [endpoints]"))
    }
    if overview.string("endpoints.revocation") == nil {
      findings.append(
        .warning(
          "endpoints.revocation", "not set and not published: logout deletes the tokens without revoking them",
          hint: "add it to [endpoints] if the server has one"))
    }
    return findings
  }

  /// Differences from the server's metadata. They are warnings: metadata may be wrong, and that of grants often is.
  private var server: [ProfileFinding] {
    guard isOAuth, let report else { return [] }
    var findings: [ProfileFinding] = []
    if let methods = report.strings("token_endpoint_auth_methods_supported"),
      let method = overview.string("client_authentication"), !methods.contains(method)
    {
      findings.append(
        .warning(
          "client_authentication",
          "the server publishes \(Escaped.text(methods.joined(separator: ", "))), not \(method)",
          hint: "it may still work; if login is refused, try one of those"))
    }
    if flow == "browser", let methods = report.strings("code_challenge_methods_supported"), !methods.contains("S256") {
      findings.append(
        .warning(
          "flow", "the server does not publish PKCE with S256 (RFC 7636)",
          hint: "an intercepted code can be used by others")
      )
    }
    if let unlisted = unlistedScopes(report) { findings.append(unlisted) }
    if ["browser", "device", "password"].contains(flow), let scopes = report.strings("scopes_supported"),
      scopes.contains("offline_access"),
      outline["scope"]?.strings?.contains(where: { $0.contains(bytes: "offline_access") }) != true
    {
      findings.append(
        .warning(
          "scope", "offline_access is not requested, although the server supports it",
          hint: "add it if you get no refresh token"))
    }
    return findings
  }

  /// The scopes that the server does not list. It may grant them all the same (RFC 8414, section 2).
  private func unlistedScopes(_ report: DiscoveryReport) -> ProfileFinding? {
    guard flow != "token", let listed = report.strings("scopes_supported"), !listed.isEmpty else { return nil }
    let requested = (outline["scope"]?.strings ?? []).flatMap { $0.split(atAny: " ").map(String.init) }
    let unlisted = requested.filter { !listed.contains($0) }
    guard !unlisted.isEmpty else { return nil }
    return .warning(
      "scope", "the server does not list \(Escaped.text(unlisted.joined(separator: ", ")))",
      hint: "it may still grant them; if login fails with invalid_scope, remove them")
  }

  private var paths: [ProfileFinding] {
    ProfileKey.all.filter { $0.form == .path }.map(\.path).flatMap { key in
      guard let path = outline[key]?.string.map(absolute.absolute) else { return [ProfileFinding]() }
      if SecretFile.isCredential(path) { return credential(key, path) }
      guard FileManager.default.isReadableFile(atPath: path) else {
        return [.error(key, "\(Escaped.text(path)) can't be read", hint: "check the path and its mode")]
      }
      let isSecret = key == "client_secret_file"
      guard isSecret || key.ends(withBytes: "key") else { return [] }
      return ProfileChecks.secretFile(path, key, isSecret ? "client secret" : "key")
    }
  }

  private static func secretFile(_ path: String, _ key: String, _ what: String) -> [ProfileFinding] {
    let file = FilePath(path)
    do throws(ProtectedFile.Refusal) {
      try ProtectedFile(file, .readableByOwner).check()
      return []
    } catch .open {
      return [
        .warning(
          key, "other users can read the \(what): \(Escaped.text(path))", hint: "chmod 600 \(ShellWord.quoted(path))")
      ]
    } catch {
      return [.error(key, "\(Escaped.text(path)): \(error.why)", hint: error.hint(file, .readableByOwner))]
    }
  }

  /// A credential can be checked inside its service only.
  private func credential(_ key: String, _ text: String) -> [ProfileFinding] {
    do throws(AuthError) {
      _ = try SecretFile(text, what: key, credentials: credentials).text(
        orRefuse: "it is not text", hint: "check the file that the service loads")
      return []
    } catch {
      let explanation = error.explanation
      let message = "\(Escaped.text(text)): \(explanation.why)"
      guard credentials != nil else { return [.warning(key, message, hint: explanation.hint)] }
      return [.error(key, message, hint: explanation.hint)]
    }
  }

  private func file(mode path: String) -> [ProfileFinding] {
    // A file that others may change was refused before.
    guard let mode = ProfileChecks.mode(of: path), mode & 0o077 != 0 else { return [] }
    return [.warning("file", "other users can read it", hint: "chmod 600 \(ShellWord.quoted(path))")]
  }

  private var content: [ProfileFinding] {
    var findings = outline.entries.filter(ProfileOverview.isSecret).map {
      ProfileFinding.warning(
        $0.key, "it looks like a secret, which does not belong in a profile",
        hint: "remove it; login stores secrets in the keyring")
    }
    if flow == "password", isOAuth {
      findings.append(
        .warning(
          "flow", "password gives the client the user's password (RFC 9700, section 2.4)",
          hint: "use browser or device if the server supports them"))
    }
    let urls =
      overview.endpoints.map { ($0.key, $0.value) } + ["issuer", "base", "api"].map { ($0, outline[$0] ?? .null) }
    for (key, value) in urls where value.strings?.contains(where: { $0.starts(withBytes: "http:") }) == true {
      findings.append(
        .warning(key, "plain http (loopback only)", hint: "do not use in production"))
    }
    return findings
  }

  /// Returns the permission bits of a file; nil if they can't be read.
  private static func mode(of path: String) -> Int? {
    // A file that can't be read is a separate finding.
    (try? FilePath(path).stat()).map { Int($0.permissions.rawValue) }
  }
}
