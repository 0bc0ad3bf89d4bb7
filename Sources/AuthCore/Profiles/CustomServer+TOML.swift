extension CustomServer {
  /// Reads a profile's description of its server's requests and responses.
  ///
  /// - Throws: ``AuthError/usage(_:)`` with the place in the file.
  init(_ root: ProfileTable) throws(AuthError) {
    self.init()
    base = try CustomServer.base(root)
    flow = try root.string("flow") ?? flow
    origins = Set(base.map { [$0.origin] } ?? [])
    let endpoints = try root.table("endpoints")
    for key in endpoints.keys { if let url = try endpoints.url(key) { origins.insert(url.origin) } }
    let requests = try root.table("requests")
    for name in requests.keys {
      self.requests[name] = try CustomRequest(requests.table(name), base: base, origins: origins)
      try check(name, requests)
    }
    response = try ResponsePointers(root.table("response"))
    let stated = try root.strings("secrets") ?? []
    secrets.formUnion(stated)
    try check(root, secrets: stated)
  }

  private static func base(_ root: ProfileTable) throws(AuthError) -> WebURL? {
    guard let base = try root.url("base") else { return nil }
    guard base.query == nil else {
      throw root.error("base", "'base' has a query", hint: "put the query at the end of each url")
    }
    return base
  }

  /// Checks the name and the placeholders of a request. A refresh or a revocation must only use values from the
  /// keyring, because the user cannot be asked then.
  private func check(_ name: String, _ requests: ProfileTable) throws(AuthError) {
    guard name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }), !name.isEmpty
    else {
      throw requests.error(name, "'\(Escaped.text(name))' can't be a request's name", hint: "use letters and digits")
    }
    let isAutomatic = [CustomServer.refreshName, CustomServer.revokeName].contains(name)
    for placeholder in self.requests[name]?.placeholders ?? [] {
      let isBuiltin = Placeholder.builtins.contains(placeholder.name)
      guard isBuiltin == isAutomatic, !(isBuiltin && placeholder.isFile) else {
        throw requests.error(
          name, "'{\(placeholder.name)}' can't stand in [requests.\(name)]",
          hint: isAutomatic
            ? "refresh and revoke run without a person: they have only {refresh_token} and {access_token}"
            : "{refresh_token} and {access_token} are for [requests.refresh] and [requests.revoke]")
      }
    }
  }

  private mutating func check(_ root: ProfileTable, secrets stated: [String]) throws(AuthError) {
    guard !flows.isEmpty || refresh != nil else {
      throw root.error(
        "requests", "there is no request to log in with",
        hint:
          "add [requests.login] with url and json, form or multipart; or [requests.refresh] for tokens from elsewhere")
    }
    if flows.isEmpty, !root.has("flow") { flow = CustomServer.tokenFlow }
    guard flows.contains(flow) || takesTokens else {
      let nearest = NearestName.of(flow, among: flows).map { "did you mean '\($0)'? " } ?? ""
      // Without `flow`, a profile without [requests.login] needs --flow at each login.
      guard root.has("flow") else { return try checkSecrets(root, stated) }
      throw root.error(
        "flow", "'flow' is not a request of this profile",
        hint: nearest + "known: " + (flows + [CustomServer.tokenFlow]).joined(separator: ", "))
    }
    try checkSecrets(root, stated)
  }

  private func checkSecrets(_ root: ProfileTable, _ stated: [String]) throws(AuthError) {
    let known = Set(requests.values.flatMap(\.placeholders).map(\.name))
    for name in stated where !known.contains(name) {
      let nearest = NearestName.of(name, among: known.sorted()).map { "did you mean '\($0)'? " } ?? ""
      throw root.error(
        "secrets", "'\(Escaped.text(name, limit: 80))' in 'secrets' is not a placeholder of a request",
        hint: nearest + "known: " + known.sorted().joined(separator: ", "))
    }
  }
}
