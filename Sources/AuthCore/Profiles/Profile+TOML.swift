import HTTPTypes
import TOMLKit

extension Profile {
  /// Reads a profile's TOML text strictly.
  ///
  /// - Parameters:
  ///   - text: the whole file.
  ///   - file: its path, for messages.
  ///   - name: the profile's name.
  /// - Throws: ``AuthError/usage(_:)`` with the place in the file and the remedy.
  package init(toml text: String, file: String, name: ProfileName) throws(AuthError) {
    let source = ProfileSource(name: name, file: file, text: text)
    let root = ProfileTable(try Profile.parse(text, source: source), source: source)
    let type: ProfileType = try root.choice("type") ?? .oauth2
    guard type == .oauth2 else {
      self.init(name: name, clientID: "")
      self.type = type
      try type == .custom ? readCustom(root) : readBasic(root)
      try root.refuseTheRest()
      return
    }
    let issuer = try root.string("issuer")
    if let issuer { _ = try root.secureURL(issuer, key: "issuer") }
    self.init(name: name, clientID: try root.string("client_id") ?? "")
    self.issuer = issuer
    try readTopLevel(root)
    try readTables(root)
    try root.refuseTheRest()
    try check(root)
  }

  static func parse(_ text: String, source: ProfileSource) throws(AuthError) -> TOMLTable {
    if let fault = TOMLPrecheck.fault(in: text) {
      throw source.error(
        "\(source.file):\(fault.line): \(fault.why)",
        hint: "fix the file: TOML strings need quotes, e.g. issuer = \"https://…\"")
    }
    do {
      return try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      let place = "\(source.file):\(error.source.begin.line):\(error.source.begin.column)"
      throw source.error(
        "\(place): \(Escaped.text(error.description))",
        hint: "fix the file: TOML strings need quotes, e.g. issuer = \"https://…\"")
    } catch {
      throw source.error(
        "\(source.file): not valid TOML", hint: "fix the file: TOML strings need quotes, e.g. issuer = \"https://…\"")
    }
  }

  private mutating func readTopLevel(_ root: ProfileTable) throws(AuthError) {
    flow = try root.choice("flow") ?? flow
    isFlowStated = root.has("flow")
    scope = try root.strings("scope")?.flatMap { $0.split(separator: " ").map(String.init) } ?? scope
    audience = try root.string("audience")
    resource = try root.strings("resource") ?? resource
    clientAuthentication = try root.choice("client_authentication") ?? clientAuthentication
    dpop = try root.bool("dpop") ?? dpop
    try readAssertion(root)
    if let uris = try root.strings("redirect_uri") { redirectURI = try Profile.redirectURIs(uris, root) }
    basicEncoding = try root.choice("basic_encoding") ?? basicEncoding
    try readShared(root)
    try readTokenLife(root)
  }

  /// What profiles of every type may say.
  mutating func readShared(_ root: ProfileTable) throws(AuthError) {
    for text in try root.strings("api") ?? [] { api.append(try root.secureURL(text, key: "api")) }
    username = try root.string("username")
    isDefault = try root.bool("default") ?? isDefault
    let network = try root.table("network")
    self.network = NetworkOptions(
      cacert: try network.string("cacert"), proxy: try network.string("proxy"),
      clientCertificate: try network.string("client_certificate"), clientKey: try network.string("client_key"),
      connectTimeout: try network.duration("connect_timeout"), timeout: try network.duration("timeout"))
    try network.refuseTheRest()
  }

  /// What profiles say whose server issues tokens.
  mutating func readTokenLife(_ root: ProfileTable) throws(AuthError) {
    header = try Profile.header(root.table("header"))
    isHeaderStated = root.has("header")
    let on = try root.table("on")
    onLoginRequired = try on.string("login_required")
    try on.refuseTheRest()
    refreshBefore = try root.duration("refresh_before") ?? refreshBefore
    refreshTokenMargin = try root.duration("refresh_token_margin") ?? refreshTokenMargin
    refreshTokenLifetime = try root.duration("refresh_token_lifetime")
    accessTokenLifetime = try root.duration("access_token_lifetime")
    refreshOn = try root.statuses("refresh_on") ?? refreshOn
  }

  private mutating func readTables(_ root: ProfileTable) throws(AuthError) {
    endpoints = try Profile.endpoints(root.table("endpoints"))
    try readParameters(root.table("parameters"))
  }

  private static func redirectURIs(_ texts: [String], _ root: ProfileTable) throws(AuthError) -> [RedirectURI] {
    var uris: [RedirectURI] = []
    for text in texts {
      do {
        uris.append(try RedirectURI(text))
      } catch {
        throw root.error(
          "redirect_uri", "'redirect_uri' can't be used: \(error)",
          hint: "use http://127.0.0.1/callback or http://127.0.0.1:8085/callback")
      }
    }
    guard !uris.isEmpty else {
      throw root.error("redirect_uri", "'redirect_uri' is empty", hint: "remove it, or set one")
    }
    return uris
  }

  private static func header(_ table: ProfileTable) throws(AuthError) -> TokenHeader {
    var header = TokenHeader()
    if let text = try table.string("name") {
      guard let name = HTTPField.Name(text) else {
        throw table.error("name", "'name' is not the name of a header field", hint: "use \"X-Auth-Token\"")
      }
      let framing = ["host", "content-length", "transfer-encoding", "connection", "te", "trailer", "upgrade", "expect"]
      guard !framing.contains(name.canonicalName) else {
        throw table.error(
          "name", "'\(name.rawName)' has a special meaning in HTTP",
          hint: "name the field that the API reads the token from")
      }
      header.name = name
    }
    header.prefix = try table.string("prefix") ?? header.prefix
    try table.refuseTheRest()
    return header
  }

  private static func endpoints(_ table: ProfileTable) throws(AuthError) -> Endpoints {
    var endpoints = Endpoints()
    endpoints.authorization = try table.url("authorization")
    endpoints.token = try table.url("token")
    endpoints.deviceAuthorization = try table.url("device_authorization")
    endpoints.revocation = try table.url("revocation")
    endpoints.jwks = try table.url("jwks")
    endpoints.pushesAuthorizationRequests = try table.string("pushed_authorization_request") != ""
    if endpoints.pushesAuthorizationRequests {
      endpoints.pushedAuthorizationRequest = try table.url("pushed_authorization_request")
    }
    // A profile may describe its server whole: what no command asks for today is checked all the same.
    for name in ["introspection", "userinfo"] {
      _ = try table.url(name)
    }
    try table.refuseTheRest()
    return endpoints
  }

  private func check(_ root: ProfileTable) throws(AuthError) {
    guard !clientID.isEmpty || flow == .token else {
      throw root.error("client_id", "'client_id' is missing", hint: "add client_id = \"…\" as registered at the server")
    }
    guard issuer != nil || endpoints.token != nil || flow == .token else {
      throw root.error(
        "issuer", "'issuer' is missing, and [endpoints] has no 'token'",
        hint: "add issuer = \"https://…\", or the endpoints")
    }
    guard issuer != nil || endpoints.authorization != nil || flow != .browser else {
      throw root.error(
        "endpoints", "the browser flow needs 'issuer', or 'authorization' in [endpoints]",
        hint: "add issuer = \"https://…\", or the endpoint")
    }
    guard issuer != nil || endpoints.deviceAuthorization != nil || flow != .device else {
      throw root.error(
        "endpoints", "the device flow needs 'issuer', or 'device_authorization' in [endpoints]",
        hint: "add issuer = \"https://…\", or the endpoint")
    }
    guard flow != .clientCredentials || clientAuthentication != .none else {
      throw root.error(
        "client_authentication", "the client-credentials flow needs a client with a secret or a key",
        hint: "add client_authentication = \"client_secret_basic\", \"private_key_jwt\" or another one")
    }
    try checkClient(root)
  }
}
