import AuthCore

/// Advice for a valid token that is insufficient for a request: what it lacks, and the login that helps.
struct LoginAdvice: Sendable {
  /// The API's description of the missing authorization.
  let insufficient: InsufficientAuthorization
  /// The profile of the token; nil for the token of `AUTHCTL_ACCESS_TOKEN`.
  let profile: Profile?
  /// The scope that was granted with the token; nil if unknown.
  let granted: [String]?

  /// The authorization that the token lacks, as text after "the API returned 403: ".
  var why: String {
    switch insufficient.lack {
    case .scope: scopeLack
    case .userAuthentication: ([loginLack] + (missing.isEmpty ? [] : [scopeLack])).joined(separator: ", and ")
    }
  }

  /// The command that helps.
  var hint: String {
    guard let profile else { return "get a token that has it, and set AUTHCTL_ACCESS_TOKEN to that" }
    guard profile.type == .oauth2 else {
      return "profile \(profile.name) can't ask its server for that: ask the API's operator"
    }
    guard profile.flow != .token else {
      return "get a token that has it where this one is from, then: authctl login \(profile.name)"
    }
    if insufficient.lack == .userAuthentication, ![.browser, .device].contains(profile.flow) {
      return
        "the flow \(profile.flow.rawValue) can't ask for that; if the server lets this client, log in with a page: "
        + "authctl login \(profile.name) --flow browser" + options(profile)
    }
    guard insufficient.lack == .userAuthentication || !missing.isEmpty else { return unclear(profile) }
    let command = "log in with it: authctl login \(profile.name)" + options(profile)
    return missing.isEmpty ? command : command + "; for every login: scope in the profile's file"
  }

  /// The scope values that the request needs and the token lacks.
  private var missing: [String] { insufficient.scope.filter { granted?.contains($0) != true } }

  private var scopeLack: String {
    let named = LoginAdvice.shown(insufficient.scope)
    let has = granted.map { $0.isEmpty ? "" : " (granted: \(LoginAdvice.shown($0)))" } ?? ""
    if insufficient.scope.isEmpty { return "the token's scope is not enough\(has), and it does not say what is" }
    if missing.isEmpty { return "the token's scope is not enough, although all that it names was granted: \(named)" }
    let word = missing.count == 1 ? "scope" : "scopes"
    return "the token lacks the \(word) \(LoginAdvice.shown(missing))\(has)"
  }

  private var loginLack: String {
    var wishes: [String] = []
    if !insufficient.acrValues.isEmpty {
      wishes.append("in the way \(insufficient.acrValues.map { Escaped.text($0) }.joined(separator: " or "))")
    }
    if let age = insufficient.maxAge { wishes.append("at most \(DurationText.describe(Double(age))) ago") }
    return "it requires that the person has logged in "
      + (wishes.isEmpty ? "otherwise" : wishes.joined(separator: ", "))
  }

  /// Returns the options of a login that requests the existing scope and the missing one.
  private func options(_ profile: Profile) -> String {
    var scope = profile.scope
    for word in (granted ?? []) + missing where !scope.contains(word) { scope.append(word) }
    var options: [(String, String)] = missing.isEmpty ? [] : [("scope", scope.joined(separator: " "))]
    if insufficient.lack == .userAuthentication {
      if !insufficient.acrValues.isEmpty {
        options.append(("acr-values", insufficient.acrValues.joined(separator: " ")))
      }
      // If the API does not state a method, request that the user authenticates again.
      let age = insufficient.maxAge ?? (insufficient.acrValues.isEmpty ? 0 : nil)
      if let age { options.append(("max-age", String(age))) }
    }
    return options.map { " --\($0) \(ShellWord.quoted($1))" }.joined()
  }

  /// Returns a hint without a complete command line, because the API does not report what is missing.
  private func unclear(_ profile: Profile) -> String {
    let known = profile.scope + (granted ?? []).filter { !profile.scope.contains($0) }
    let example = ShellWord.quoted((known + ["NAME"]).joined(separator: " "))
    return "ask the API's operator which scope it requires, then: authctl login \(profile.name) --scope \(example)"
  }

  private static func shown(_ words: [String]) -> String { Escaped.text(words.joined(separator: " ")) }
}
