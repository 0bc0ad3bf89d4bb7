import Foundation
import TestSupport
import Testing

@Suite struct RegistrationTests {
  /// The example of RFC 7636, appendix B.
  private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
  private static let device = "urn:ietf:params:oauth:grant-type:device_code"
  private static let native = """
    {"redirect_uris":["http://127.0.0.1/cb"],"token_endpoint_auth_method":"none","scope":"api read",\
    "grant_types":["authorization_code","refresh_token","\(device)"],"client_name":"x","application_type":"native"}
    """

  private func register(
    _ lab: Authlab, _ metadata: String = native, headers: [(name: String, value: String)] = []
  ) throws -> LoopbackResponse {
    let type = (name: "Content-Type", value: "application/json")
    return try lab.send("POST", "/register", headers: [type] + headers, body: Data(metadata.utf8))
  }

  private func bearer(_ token: String?) -> [(name: String, value: String)] {
    [(name: "Authorization", value: "Bearer \(token ?? "")")]
  }

  private func authorize(
    _ lab: Authlab, client: String, more: String = "", redirect: String = "http://127.0.0.1:9/cb"
  ) throws -> [String: String] {
    let target =
      "/authorize?response_type=code&client_id=\(client)&redirect_uri=\(redirect)"
      + "&code_challenge=\(Self.challenge)&code_challenge_method=S256\(more)"
    let items = URLComponents(string: try lab.send("GET", target).header("location") ?? "")?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
  }

  private func exchange(
    _ lab: Authlab, code: String?, as credentials: [(name: String, value: String)],
    headers: [(name: String, value: String)] = []
  ) throws -> LoopbackResponse {
    let form = [
      (name: "grant_type", value: "authorization_code"), (name: "code", value: code ?? ""),
      (name: "redirect_uri", value: "http://127.0.0.1:9/cb"), (name: "code_verifier", value: Self.verifier),
    ]
    return try lab.post("/token", form: form + credentials, headers: headers)
  }

  /// Logs in with the identifier alone.
  private func logIn(_ lab: Authlab, client: String, more: String = "") throws -> LoopbackResponse {
    let code = try authorize(lab, client: client, more: more)["code"]
    return try exchange(lab, code: code, as: [(name: "client_id", value: client)])
  }

  @Test("offers registration only when it is told to")
  func offeredOnDemand() throws {
    let lab = try Authlab()
    #expect(try register(lab).status == 404)
    #expect(try lab.send("GET", "/.well-known/openid-configuration").string("registration_endpoint") == nil)
    try lab.change(#"{"registration":true}"#)
    for document in ["oauth-authorization-server", "openid-configuration"] {
      let place = try lab.send("GET", "/.well-known/\(document)").string("registration_endpoint")
      #expect(place == lab.origin + "/register")
    }
    #expect(try lab.send("GET", "/register").header("allow") == "POST")
    #expect(try register(lab).status == 201)
  }

  @Test("registers a public client that can do what it has registered (RFC 7591, section 3.2.1)")
  func publicClient() throws {
    let lab = try Authlab(["--registration", "--grant-without-page"])
    let answer = try register(lab)
    #expect(answer.status == 201)
    #expect(answer.header("cache-control") == "no-store")
    let id = try #require(try answer.string("client_id"))
    let members = try answer.json()
    #expect(members["client_secret"] == nil && members["client_id_issued_at"] is Int)
    #expect(members["redirect_uris"] as? [String] == ["http://127.0.0.1/cb"])
    #expect(members["token_endpoint_auth_method"] as? String == "none")
    #expect(members["scope"] as? String == "api read")
    #expect(members["application_type"] as? String == "native" && members["client_name"] as? String == "x")
    let tokens = try TokenPair(logIn(lab, client: id, more: "&scope=read"))
    #expect(try lab.get("/api/me", token: tokens.access).string("client_id") == id)
    let refreshed = try lab.post(
      "/token", form: [("grant_type", "refresh_token"), ("refresh_token", tokens.refresh), ("client_id", id)])
    #expect(refreshed.status == 200)
    #expect(try lab.post("/device_authorization", form: [("client_id", id)]).status == 200)
    #expect(try lab.post("/revoke", form: [("client_id", id), ("token", tokens.refresh)]).status == 200)
    let other = try lab.post("/token", form: [("grant_type", "password"), ("client_id", id)])
    #expect(try other.string("error") == "unauthorized_client")
  }

  @Test(
    "takes a secret by the method that was registered only",
    arguments: ["client_secret_basic", "client_secret_post"])
  func registeredMethod(method: String) throws {
    let lab = try Authlab(["--registration", "--grant-without-page"])
    let answer = try register(lab, Self.native.replacing("none", with: method))
    #expect(try answer.json()["client_secret_expires_at"] as? Int == 0)
    let (id, secret) = (try answer.string("client_id") ?? "", try answer.string("client_secret") ?? "")
    let basic = (name: "Authorization", value: "Basic " + Data("\(id):\(secret)".utf8).base64EncodedString())
    let post = [(name: "client_id", value: id), (name: "client_secret", value: secret)]
    for (credentials, headers, works) in [
      (post, [], method == "client_secret_post"), ([], [basic], method == "client_secret_basic"),
      ([(name: "client_id", value: id)], [], false),
    ] {
      let code = try authorize(lab, client: id)["code"]
      #expect(try exchange(lab, code: code, as: credentials, headers: headers).status == (works ? 200 : 401))
    }
  }

  @Test("compares redirect URIs by RFC 8252, or exactly", arguments: [(false, 303, 400), (true, 400, 400)])
  func redirectURIs(exact: Bool, otherPort: Int, otherPath: Int) throws {
    let lab = try Authlab(["--registration", "--grant-without-page"])
    try lab.change(#"{"exact_redirect_uri":\#(exact)}"#)
    let id = try register(lab).string("client_id") ?? ""
    for (uri, status) in [
      ("http://127.0.0.1/cb", 303), ("http://127.0.0.1:9/cb", otherPort), ("http://127.0.0.1:9/x", otherPath),
      ("http://localhost:9/cb", 400),
    ] {
      let target = "/authorize?client_id=\(id)&response_type=code&redirect_uri=\(uri)"
      #expect(try lab.send("GET", target).status == status, "\(uri)")
    }
  }

  @Test("binds the scope that was registered", arguments: [(true, "invalid_scope"), (false, nil)])
  func boundScope(binds: Bool, error: String?) throws {
    let lab = try Authlab(["--registration", "--grant-without-page"])
    try lab.change(#"{"registered_scope_binds":\#(binds)}"#)
    let id = try register(lab).string("client_id") ?? ""
    #expect(try authorize(lab, client: id, more: "&scope=write")["error"] == error)
    #expect(try authorize(lab, client: id, more: "&scope=read")["error"] == nil)
    let device = try lab.post("/device_authorization", form: [("client_id", id), ("scope", "write")])
    #expect((device.status == 400) == binds)
  }

  @Test("lets a client read and end its registration (RFC 7592)")
  func management() throws {
    let lab = try Authlab(["--registration", "--grant-without-page"])
    let answer = try register(lab)
    let (id, token) = (try answer.string("client_id") ?? "", try answer.string("registration_access_token"))
    let place = try #require(try answer.string("registration_client_uri"))
    #expect(place == "\(lab.origin)/register/\(id)")
    let path = String(place.dropFirst(lab.origin.count))
    let tokens = try TokenPair(logIn(lab, client: id))
    #expect(try lab.send("GET", path).status == 401)
    #expect(try lab.send("GET", path, headers: bearer("wrong")).status == 401)
    #expect(try lab.send("PUT", path, headers: bearer(token)).header("allow") == "GET, DELETE")
    #expect(try lab.send("GET", path, headers: bearer(token)).text == answer.text)
    try lab.fail(#"{"endpoint":"registration.delete","kind":"status","status":405,"count":1}"#)
    #expect(try lab.send("DELETE", path, headers: bearer(token)).status == 405)
    #expect(try lab.send("DELETE", path, headers: bearer(token)).status == 204)
    #expect(try lab.send("GET", path, headers: bearer(token)).status == 401)
    #expect(try lab.get("/api/me", token: tokens.access).status == 401)
    #expect(try lab.count("registration.delete.ok") == 1)
    try lab.change(#"{"registration_management":false}"#)
    #expect(try register(lab).string("registration_client_uri") == nil)
  }

  @Test("forgets its clients on demand")
  func forgottenClients() throws {
    let lab = try Authlab(["--registration", "--grant-without-page"])
    let answer = try register(lab)
    let (id, token) = (try answer.string("client_id") ?? "", try answer.string("registration_access_token"))
    let tokens = try TokenPair(logIn(lab, client: id))
    try lab.forgetClients()
    let form = [(name: "grant_type", value: "refresh_token"), ("refresh_token", tokens.refresh), ("client_id", id)]
    let refused = try lab.post("/token", form: form)
    #expect(refused.status == 401)
    #expect(try refused.string("error") == "invalid_client")
    #expect(try lab.send("GET", "/register/\(id)", headers: bearer(token)).status == 401)
    #expect(try lab.send("GET", "/authorize?client_id=\(id)&response_type=code").status == 400)
  }

  @Test("demands an initial access token")
  func initialAccessToken() throws {
    let lab = try Authlab(["--registration-token", "t1"])
    let refused = try register(lab)
    #expect(refused.status == 401)
    #expect(refused.header("www-authenticate")?.hasPrefix("Bearer error=\"invalid_token\"") == true)
    #expect(try register(lab, headers: bearer("t2")).status == 401)
    #expect(try register(lab, headers: bearer("t1")).status == 201)
  }

  @Test(
    "refuses metadata as RFC 7591, section 3.2.2 says",
    arguments: [
      (#"{"redirect_uris":["http://example.com/cb"]}"#, "invalid_redirect_uri"),
      (#"{"redirect_uris":["http://127.0.0.1/cb#x"]}"#, "invalid_redirect_uri"),
      (#"{}"#, "invalid_redirect_uri"), (#"[]"#, "invalid_client_metadata"),
      (#"{"redirect_uris":"http://127.0.0.1/cb"}"#, "invalid_client_metadata"),
      (#"{"redirect_uris":["http://127.0.0.1/"],"scope":"bogus"}"#, "invalid_client_metadata"),
      (#"{"redirect_uris":["http://127.0.0.1/"],"token_endpoint_auth_method":"x"}"#, "invalid_client_metadata"),
      (#"{"redirect_uris":["http://127.0.0.1/"],"grant_types":["x"]}"#, "invalid_client_metadata"),
      (#"{"redirect_uris":["http://127.0.0.1/"],"response_types":["token"]}"#, "invalid_client_metadata"),
    ])
  func invalidMetadata(metadata: String, error: String) throws {
    let lab = try Authlab(["--registration"])
    let answer = try register(lab, metadata)
    #expect(answer.status == 400)
    #expect(try answer.string("error") == error)
    #expect(try lab.count("registration.create.\(error)") == 1)
  }

  @Test(
    "refuses on demand what others take",
    arguments: [
      ("port-needed", "127.0.0.1:7", "invalid_redirect_uri"), ("localhost-only", "localhost", "invalid_redirect_uri"),
      ("no-scope", nil, "invalid_client_metadata"), ("no-public-clients", nil, "invalid_client_metadata"),
    ])
  func refusedOnDemand(fault: String, host: String?, error: String) throws {
    let lab = try Authlab(["--registration"])
    try lab.change(#"{"registration_faults":["\#(fault)"]}"#)
    let answer = try register(lab)
    #expect(answer.status == 400)
    #expect(try answer.string("error") == error)
    let other =
      host.map { Self.native.replacing("127.0.0.1", with: $0) }
      ?? Self.native.replacing("none", with: "client_secret_basic").replacing(#""scope":"api read","#, with: "")
    #expect(try register(lab, other).status == 201)
  }

  @Test(
    "answers on demand with what was not asked for",
    arguments: [
      ("no-client-id", "client_id", nil), ("other-method", "token_endpoint_auth_method", "client_secret_basic"),
      ("other-origin", "registration_client_uri", "https://registrar.example/register/"),
    ])
  func changedOnDemand(fault: String, member: String, value: String?) throws {
    let lab = try Authlab(["--registration"])
    try lab.change(#"{"registration_faults":["\#(fault)","other-redirect-uri"],"registered_secret_lifetime":-60}"#)
    let answer = try register(lab)
    #expect(answer.status == 201)
    #expect(try answer.string(member)?.hasPrefix(value ?? "") == (value == nil ? nil : true))
    #expect(try answer.json()["redirect_uris"] as? [String] == ["http://127.0.0.1:9/elsewhere"])
    guard fault == "other-method", let secret = try answer.string("client_secret") else { return }
    #expect(try #require(try answer.json()["client_secret_expires_at"] as? Double) < Date().timeIntervalSince1970)
    let id = try answer.string("client_id") ?? ""
    let basic = (name: "Authorization", value: "Basic " + Data("\(id):\(secret)".utf8).base64EncodedString())
    let refused = try lab.post("/token", form: [("grant_type", "authorization_code")], headers: [basic])
    #expect(try refused.string("error_description") == "The client secret has expired.")
  }

  @Test("fails like every endpoint, and answers with megabytes")
  func faultsAndSize() throws {
    let lab = try Authlab(["--registration"])
    for (fault, status) in [
      (#""kind":"status","status":500"#, 500), (#""kind":"retry_after","milliseconds":1000"#, 429),
      (#""kind":"html""#, 200), (#""kind":"redirect","location":"/x""#, 302),
    ] {
      try lab.fail(#"{"endpoint":"registration.create","count":1,\#(fault)}"#)
      #expect(try register(lab).status == status)
    }
    #expect(try lab.count("registration.create.ok") == 0)
    try lab.fail(#"{"endpoint":"registration","kind":"pad","count":1}"#)
    let padded = try register(lab)
    #expect(padded.body.count > 2_000_000)
    #expect(try padded.string("client_id") != nil)
    #expect(try lab.count("registration.create.ok") == 1)
  }

  @Test("takes an https URL as a client whose document is known")
  func metadataDocument() throws {
    let lab = try Authlab(["--grant-without-page"])
    let id = "https://app.example/client.json"
    let document = #"{"client_id":"\#(id)","redirect_uris":["http://127.0.0.1/cb"],"#
    try lab.publish(clientDocument: document + #""token_endpoint_auth_method":"none"}"#)
    #expect(try lab.send("GET", "/authorize?client_id=\(id)&redirect_uri=http://127.0.0.1:9/cb").status == 400)
    try lab.change(#"{"client_metadata_documents":true}"#)
    let metadata = try lab.send("GET", "/.well-known/oauth-authorization-server").json()
    #expect(metadata["client_id_metadata_document_supported"] as? Bool == true)
    #expect(try logIn(lab, client: id).status == 200)
    #expect(try lab.send("GET", "/authorize?client_id=\(id)&redirect_uri=http://127.0.0.1:9/x").status == 400)
    #expect(try lab.send("GET", "/authorize?client_id=\(id)2&redirect_uri=http://127.0.0.1:9/cb").status == 400)
    for wrong in [document + "}", document.replacing("https:", with: "http:") + #""x":1}"#, "{}"] {
      #expect(throws: AuthlabError.self) { try lab.publish(clientDocument: wrong) }
    }
  }

  @Test(
    "gives a refresh token to those who ask for it as it wants",
    arguments: [
      ("always", "", true), ("never", "&scope=offline_access", false), ("offline_access", "&scope=api", false),
      ("offline_access", "&scope=api+offline_access", true), ("access_type", "", false),
      ("access_type", "&access_type=offline", true), ("consent", "", false), ("consent", "&prompt=consent", true),
    ])
  func refreshTokenRule(rule: String, more: String, isGiven: Bool) throws {
    let lab = try Authlab(["--grant-without-page"])
    try lab.change(#"{"refresh_token_for":"\#(rule)"}"#)
    let answer = try logIn(lab, client: "cli", more: more)
    #expect(answer.status == 200)
    #expect((try answer.string("refresh_token") != nil) == isGiven)
  }
}
