import AuthCore
import HTTPTypes

/// The URL of a call and the source of its token, determined before any file or connection is opened.
struct CallTarget: Sendable {
  /// The source of the token.
  enum Credential: Sendable {
    /// No token (`--no-auth`).
    case none
    /// The unchanged token of `AUTHCTL_ACCESS_TOKEN`, and the origins that it may be sent to.
    case given(Secret, TokenHeader, origins: Set<Origin>)
    /// The name and password of `-u`, instead of a token.
    case password
    /// The token of the profile's session.
    case session(Profile)
  }

  /// What is the same for all URLs of an origin, in one piece: a profile takes long to copy.
  private final class Choice: Sendable {
    let profile: Profile?
    let credential: Credential

    init(_ profile: Profile?, _ credential: Credential) {
      self.profile = profile
      self.credential = credential
    }
  }

  /// The URL.
  private(set) var url: WebURL
  private let choice: Choice

  /// The profile; nil if there is none.
  var profile: Profile? { choice.profile }
  /// The source of the token.
  var credential: Credential { choice.credential }

  /// The field that carries the token; nil if none is sent.
  var tokenField: HTTPField.Name? {
    switch credential {
    case .none: nil
    case .given(_, let header, _): header.name
    case .password: TokenHeader().name
    case .session(let profile): profile.header.name
    }
  }

  /// Whether the token may be sent with a proof of its key.
  var isProven: Bool {
    if case .session(let profile) = credential { profile.dpop } else { false }
  }

  /// - Parameters:
  ///   - text: the address as it was typed.
  ///   - choice: finds its profile.
  /// - Throws: ``AuthError/usage(_:)``, or ``AuthError/origin(_:)`` if the URL's origin may not get the token.
  init(
    _ text: String, _ arguments: CallArguments, _ choice: ProfileChoice, _ context: Context
  ) throws(AuthError) {
    let selection = arguments.profile
    var sendsPassword = false
    if case .password = arguments.authorization { sendsPassword = true }
    let given = sendsPassword ? nil : try context.givenToken()
    let isAnonymous = arguments.authorization == .none
    guard !text.isEmpty else {
      throw .usage("the address", why: "it is empty", hint: "give a URL, or a path below the profile's api")
    }
    let profile: Profile?
    if CallTarget.hasScheme(text) {
      let url = try CallTarget.url(text)
      let isNamed = try choice.named(selection) != nil
      let needsProfile = given == nil && !isAnonymous && !sendsPassword
      profile = needsProfile || isNamed ? try choice.profile(selection, holding: url) : nil
      self.url = url
    } else {
      let named =
        try given == nil
        ? choice.profile(forPathOf: selection) : CallTarget.profile(selection, for: text, choice)
      url = try CallTarget.url(text, in: named)
      profile = named
    }
    if given == nil, !sendsPassword, !isAnonymous, let profile {
      _ = try context.cacheTime(of: profile, arguments.cache)
    }
    let credential: Credential =
      if sendsPassword {
        .password
      } else if isAnonymous {
        .none
      } else if let given {
        .given(given, profile?.header ?? TokenHeader(), origins: profile?.origins ?? [url.origin])
      } else if let profile {
        .session(profile)
      } else {
        .none
      }
    self.choice = Choice(profile, credential)
    try checkOrigin()
  }

  /// Creates the target for a URL and its profile.
  ///
  /// - Parameter given: a token that is used instead of the profile's.
  /// - Throws: ``AuthError/origin(_:)`` if the URL's origin may not get the token.
  init(_ url: WebURL, of profile: Profile, given: Secret? = nil) throws(AuthError) {
    self.url = url
    let token = given.map { Credential.given($0, profile.header, origins: profile.origins) }
    choice = Choice(profile, token ?? .session(profile))
    try checkOrigin()
  }

  /// Returns the target for an address that is a URL of the same origin; nil for any other.
  func with(_ address: String) -> CallTarget? {
    if let url = WebURL(address, at: url.origin) { return with(url) }
    guard CallTarget.hasScheme(address), let url = try? WebURL(address), url.origin == self.url.origin else {
      return nil
    }
    return with(url)
  }

  /// Returns this target with another URL of the same origin.
  func with(_ url: WebURL) -> CallTarget {
    var target = self
    target.url = url
    return target
  }

  /// Returns the profile whose `api` a path is appended to, for the token of `AUTHCTL_ACCESS_TOKEN`.
  private static func profile(
    _ selection: ProfileSelection, for path: String, _ choice: ProfileChoice
  ) throws(AuthError) -> Profile {
    guard try choice.named(selection) == nil, try choice.candidates().count != 1 else {
      return try choice.profile(selection)
    }
    throw .usage(
      SecretText.redacted(Escaped.text(path)), why: "it has no scheme, and AUTHCTL_ACCESS_TOKEN no profile's api",
      hint: "give the whole URL, or name a profile with --profile NAME")
  }

  /// Returns whether a text begins with a scheme (RFC 3986, section 3.1). A path may have a URL in its query.
  private static func hasScheme(_ text: String) -> Bool {
    let start = text.lowercased()
    // A URL with a missing slash is a typing error, not a path.
    if start.starts(withBytes: "http:") || start.starts(withBytes: "https:") { return true }
    guard let end = text.firstRange(ofBytes: "://")?.lowerBound, let first = text.first, first.isASCII, first.isLetter
    else { return false }
    let scheme = text[..<end].unicodeScalars
    return scheme.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || "0123456789+-.".unicodeScalars.contains($0))
    }
  }

  /// Reads the URL of a command line.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if it is not usable.
  static func url(_ text: String) throws(AuthError) -> WebURL {
    do {
      return try WebURL(text)
    } catch {
      throw .usage(
        SecretText.redacted(Escaped.text(text)), why: "it is not a usable URL: \(error)",
        hint: "use https://host/path")
    }
  }

  private static func url(_ path: String, in profile: Profile) throws(AuthError) -> WebURL {
    guard let base = profile.api.first else {
      throw .usage(
        SecretText.redacted(Escaped.text(path)),
        why: "it has no scheme, and profile \(profile.name) has no api to append it to",
        hint: "to add one: \(LoginAddress.command(adding: nil, to: profile.name))")
    }
    return try url(base.origin.string + base.folder + "/" + path.drop(anyOf: "/"))
  }

  private func checkOrigin() throws(AuthError) {
    switch credential {
    case .none: return
    case .given(_, _, let origins):
      if let profile, !origins.contains(url.origin) { throw foreignOrigin(profile) }
      if !url.origin.isSecure { throw inTheClear("token") }
    case .password:
      if !url.origin.isSecure { throw inTheClear("password") }
    case .session(let profile):
      guard !profile.origins.contains(url.origin) else { return }
      throw foreignOrigin(profile)
    }
  }

  private func inTheClear(_ secret: String) -> AuthError {
    .origin("calling \(url)", why: "the \(secret) would cross the network unencrypted", hint: "use https")
  }

  private func foreignOrigin(_ profile: Profile) -> AuthError {
    guard !profile.api.isEmpty else {
      return .origin(
        "calling \(url)", why: "profile \(profile.name) has no api: token not sent",
        hint: "to add this one: \(LoginAddress.command(adding: url, to: profile.name)); or use --no-auth")
    }
    return .origin(
      "calling \(url)", why: "\(url.origin) is not among the api of profile \(profile.name): token not sent",
      hint: "log in to it: \(LoginAddress.command(url)); or add it to the profile's api if it may get the token, "
        + "or use --no-auth")
  }
}
