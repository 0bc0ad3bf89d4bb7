import AuthCore

/// The URL that a login starts from: of an API, of an issuer, or of a page below one of them.
struct LoginAddress: Sendable, Equatable {
  /// The URL without query, fragment and well-known part.
  let url: WebURL
  /// The options of the command line that a hint with this address repeats, such as `-p NAME`.
  private let repeated: String

  /// Returns whether an argument is a URL and not the name of a profile.
  static func isMeant(by text: String) -> Bool {
    let start = text.lowercased()
    // A URL with a missing slash is a typing error.
    return text.contains(bytes: "://") || start.starts(withBytes: "https:") || start.starts(withBytes: "http:")
  }

  /// Reads a URL from the command line.
  ///
  /// - Parameters:
  ///   - name: the option that it was given with, or the command.
  ///   - more: the options that a login with another address repeats.
  /// - Throws: ``AuthError/usage(_:)`` if it is not a URL, has user information, or is plain http beyond loopback.
  init(_ text: String, as name: String, repeating more: String = "") throws(AuthError) {
    repeated = more
    let what = "\(name) \(SecretText.redacted(Escaped.text(text)))"
    let given: WebURL
    do {
      given = try WebURL(text)
      url = try LoginAddress.base(of: given)
    } catch {
      let meant = LoginAddress.withoutUser(text).map { LoginAddress.command($0, more) }
      throw .usage(
        what, why: "it is not a usable URL: \(error)",
        hint: meant ?? "use the address of the API or of its server: authctl login https://HOST/PATH")
    }
    guard url.origin.isSecure else {
      throw .usage(
        what, why: "it is plain http: anyone on the network could change the response",
        hint: LoginAddress.command(url, more))
    }
  }

  /// Returns the URL that a text without a scheme may mean; nil if it does not look like a host with a path.
  ///
  /// - Parameter isLogin: whether the text is the argument of `login`, where `host/path` and `host:port` can mean
  ///   nothing else.
  init?(guessing text: String, forLogin isLogin: Bool = false) {
    guard !LoginAddress.isMeant(by: text) else { return nil }
    let authority = text.prefix(upToAny: "/?#")
    let host = authority.prefix(upToAny: ":")
    let labels = host.split(atAny: ".", omittingEmptySubsequences: false)
    let isName =
      labels.count > 1 && (labels.last ?? "").count > 1 && labels.last?.allSatisfy { $0.isASCII && $0.isLetter } == true
    let isAddress = labels.count == 4 && labels.allSatisfy { UInt8($0) != nil }
    let isOther = isLogin && (authority != text || authority != host) && !host.isEmpty
    guard isName || isAddress || isOther || host == "localhost" else { return nil }
    // A text that is no URL means none.
    guard let secure = try? WebURL("https://" + text) else { return nil }
    let scheme = secure.origin.isLoopback ? "http" : "https"
    guard let url = try? WebURL("\(scheme)://\(text)"), let base = try? LoginAddress.base(of: url) else { return nil }
    self.url = base
    repeated = ""
  }

  /// Returns the command that logs in with a URL, over TLS unless it is on this machine.
  static func command(_ url: WebURL, _ more: String = "") -> String {
    "authctl login " + secure(url, url.withoutRootSlash) + (more.isEmpty ? "" : " " + more)
  }

  /// Returns the command that adds an API to a profile that has none; nil stands for any URL.
  static func command(adding url: WebURL?, to name: ProfileName) -> String {
    "authctl login \(name) --api " + (url.map { secure($0, $0.origin.string) } ?? "URL")
  }

  private static func secure(_ url: WebURL, _ text: String) -> String {
    ShellWord.quoted(url.origin.isSecure ? text : "https" + text[(text.firstIndex(ofAny: ":") ?? text.startIndex)...])
  }

  /// The command that logs in with this URL.
  func command(_ more: String = "") -> String {
    LoginAddress.command(url, [more, repeated].filter { !$0.isEmpty }.joined(separator: " "))
  }

  /// Returns the name of a profile for this URL: its host, and its port if that is not the default.
  ///
  /// - Parameter hasAPI: whether an API is known for the profile. If not, the name has a suffix: the host's name is for
  ///   the profile of its API.
  /// - Throws: ``AuthError/usage(_:)`` if that is not a valid name.
  func profileName(hasAPI: Bool = true) throws(AuthError) -> ProfileName {
    let (host, port) = (url.origin.host, url.origin.port)
    let isDefault = port == url.origin.scheme.defaultPort
    let bare = host.dropping(prefix: "[")?.prefix(upToAny: "]").replacing(bytes: ":", with: "-") ?? host
    // A name begins with a letter or digit: `[::1]` becomes `1`.
    let text =
      bare.drop { !($0.isASCII && ($0.isLetter || $0.isNumber)) } + (isDefault ? "" : "-\(port)")
      + (hasAPI ? "" : "-server")
    guard let name = ProfileName(String(text)) else {
      throw .usage(
        "login \(url.withoutRootSlash)", why: "its host is too long for the name of a profile",
        hint: "choose a name: \(command("-p NAME"))")
    }
    return name
  }

  /// The documents whose well-known part is removed from a URL (RFC 9728, RFC 8414, OpenID Connect Discovery).
  private static let documents = ["oauth-protected-resource", "oauth-authorization-server", "openid-configuration"]

  /// Returns the URL without query and well-known part, which may be before the path or after it.
  private static func base(of url: WebURL) throws(WebURL.Invalid) -> WebURL {
    for document in documents {
      guard let part = url.path.firstRange(ofBytes: "/.well-known/" + document) else { continue }
      let rest = url.path[part.upperBound...]
      guard rest.isEmpty || rest.starts(withBytes: "/") else { continue }
      return try WebURL(url.origin.string + url.path[..<part.lowerBound] + (rest == "/" ? "" : rest))
    }
    return try WebURL(url.description)
  }

  /// Returns the URL without its user information; nil if it has none, or something else is wrong with it.
  private static func withoutUser(_ text: String) -> WebURL? {
    let scalars = text.unicodeScalars
    guard let start = scalars.firstRange(of: "://".unicodeScalars)?.upperBound else { return nil }
    let end = scalars[start...].firstIndex { "/?#".unicodeScalars.contains($0) } ?? scalars.endIndex
    guard let at = scalars[start..<end].lastIndex(of: "@") else { return nil }
    let rest = String(scalars[..<start]) + String(scalars[scalars.index(after: at)...])
    // If it is not a URL without it either, there is no command to suggest.
    return try? WebURL(rest)
  }
}

extension WebURL {
  /// The URL without its query, and without the slash of an empty path, as people write it.
  var withoutRootSlash: String { path == "/" ? origin.string : description }
}

extension Profile {
  /// Returns whether this profile is for a URL: one of its APIs, a URL above or below one, or its issuer.
  func isFor(_ url: WebURL) -> Bool {
    // An issuer that is not a URL is not the given one.
    let server = issuer.flatMap { try? WebURL($0) }
    return api.contains { $0.isAbove(url) || url.isAbove($0) } || server?.isSame(as: url) == true
  }
}
