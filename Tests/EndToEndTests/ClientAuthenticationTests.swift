import Foundation
import TestSupport
import Testing

@Suite("client authentication, end to end")
struct ClientAuthenticationTests {
  /// A client at authlab.
  struct Method: Sendable, CustomTestStringConvertible {
    var id: String
    var method: String
    var secret: String?
    var key: ClientKey.Kind?
    var algorithm: String?
    /// What authlab has counted when it has verified an assertion.
    var verified: String?

    var testDescription: String { [method, algorithm ?? verified].compactMap { $0 }.joined(separator: " ") }
  }

  static let methods = [
    Method(id: "svc", method: "client_secret_basic", secret: "svc-secret"),
    Method(id: "svc", method: "client_secret_post", secret: "svc-secret"),
    Method(
      id: "hmac", method: "client_secret_jwt", secret: "hmac-secret-of-more-than-32-bytes", verified: "HS256"),
    Method(
      id: "hmac", method: "client_secret_jwt", secret: "hmac-secret-of-more-than-32-bytes", algorithm: "HS512",
      verified: "HS512"),
    Method(id: "key", method: "private_key_jwt", key: .rsa, verified: "RS256"),
    Method(id: "key", method: "private_key_jwt", key: .rsa, algorithm: "PS256", verified: "PS256"),
    Method(id: "key", method: "private_key_jwt", key: .p256, verified: "ES256"),
    Method(id: "key", method: "private_key_jwt", key: .p256SEC1, verified: "ES256"),
    Method(id: "key", method: "private_key_jwt", key: .p384, verified: "ES384"),
    Method(id: "key", method: "private_key_jwt", key: .p521, verified: "ES512"),
    Method(id: "key", method: "private_key_jwt", key: .ed25519, verified: "EdDSA"),
  ]

  @Test(
    "login, call, expiry, refresh and logout, for each flow and each client authentication method",
    arguments: ["client-credentials", "browser", "password"], methods)
  func life(flow: String, method: Method) throws {
    let key = try method.key.map { try ClientKey($0) }
    let place = try Workplace(lab: key.map { ["--key-client", "key:\($0.publicFile)"] } ?? [])
    var more = "client_id = \"\(method.id)\"\nclient_authentication = \"\(method.method)\"\nflow = \"\(flow)\""
    if let key { more += "\nassertion_key = \"\(key.file)\"" }
    if let algorithm = method.algorithm { more += "\nassertion_algorithm = \"\(algorithm)\"" }
    try place.makeProfile("work", more)
    var login = ["login", "work"]
    if let secret = method.secret {
      login += ["--client-secret-file", try place.secretFile(secret)]
    }
    if flow == "password" { login.append("--password-stdin") }
    let outcome = try place.run(
      login, input: flow == "password" ? .text(Workplace.password) : .nothing, environment: place.browser())
    try #require(outcome.status == 0, "\(outcome.error)")
    #expect(try place.run("call", "me").json().string("sub") == (flow == "client-credentials" ? method.id : "alice"))
    try place.lab.expireAccessTokens()
    #expect(try place.run("call", "me").status == 0)
    let logout = try place.run("logout", "work")
    #expect(logout.error.contains("tokens revoked"), "\(logout.error)")
    let count = try method.verified.map { try place.lab.count("assertion.\($0)") }
    // Login, refresh, and the revocation of each token.
    if let count { #expect(count == (flow == "client-credentials" ? 3 : 4)) }
    #expect(try place.lab.count("assertion.replayed") == 0)
    Cell(flow: flow, authentication: method.testDescription, server: "authlab").ran()
  }

  /// A place whose server knows a key.
  private func place(_ key: ClientKey, _ more: String = "") throws -> Workplace {
    let place = try Workplace(lab: ["--key-client", "key:\(key.publicFile)"])
    try place.makeProfile(
      "work", "client_id = \"key\"\nclient_authentication = \"private_key_jwt\"\nflow = \"client-credentials\"\n" + more
    )
    return place
  }

  @Test("a key that is given goes into the keyring, from a file and from standard input", arguments: [true, false])
  func stored(fromFile: Bool) throws {
    let key = try ClientKey(.p256)
    let place = try Workplace(lab: ["--key-client", "key:\(key.publicFile)"])
    let login = [
      "login", "work", "--issuer", place.lab.origin, "--client-id", "key", "--flow", "client-credentials", "--api",
      place.lab.origin + "/api",
    ]
    let outcome = try place.run(
      login + (fromFile ? ["--client-key-file", key.file] : ["--client-key-stdin"]),
      input: fromFile ? .nothing : .text(key.text()))
    try #require(outcome.status == 0, "\(outcome.error)")
    #expect(try place.stored(kind: "key")?.contains("BEGIN PRIVATE KEY") == true)
    let profile = try String(contentsOf: place.file(), encoding: .utf8)
    #expect(profile.contains("client_authentication = \"private_key_jwt\""))
    #expect(!profile.contains("BEGIN"))
    try place.lab.expireAccessTokens()
    #expect(try place.run("call", "me").json().string("sub") == "key")
    #expect(try place.run("logout", "work").status == 0)
    #expect(try place.stored(kind: "key") == nil)
  }

  @Test("a JWK is as good as PEM, and its kid goes into the header")
  func jwk() throws {
    let key = try ClientKey(.p256)
    let jwk = try place(key).session.run(
      "python3",
      [
        "-c",
        """
        import base64, json, subprocess, sys
        text = subprocess.run(["openssl", "pkey", "-in", sys.argv[1], "-outform", "DER"], capture_output=True).stdout
        b = lambda raw: base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
        at, point = text.index(bytes.fromhex("0201010420")) + 5, text[-64:]
        print(json.dumps({"kty": "EC", "crv": "P-256", "kid": "k-1", "d": b(text[at:at + 32]), "x": b(point[:32]),
                          "y": b(point[32:])}))
        """, key.file,
      ])
    let place = try place(key)
    let outcome = try place.run(["login", "work", "--client-key-stdin"], input: .text(jwk))
    outcome.expect(0)
    let form = try #require(try place.lab.lastRequests().last { $0.endpoint.hasPrefix("token") }?.form)
    let assertion = try #require(form.split(separator: "&").first { $0.hasPrefix("client_assertion=") })
    let header = try #require(Data(base64Encoded: String(assertion.dropFirst(17).prefix { $0 != "." }) + "=="))
    #expect(String(decoding: header, as: UTF8.self).contains("\"kid\":\"k-1\""))
  }

  @Test(
    "a key that can't be used: status 2 with the file and the remedy, and nothing is sent",
    arguments: ["open", "encrypted", "public", "missing", "misfit", "damaged"])
  func unusable(kind: String) throws {
    let key = try ClientKey(.p256)
    var (path, words, algorithm) = (key.file, ["chmod 600"], "")
    switch kind {
    case "open": try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    case "encrypted":
      path = try key.converted(["pkey", "-aes256", "-passout", "pass:x"])
      words = ["encrypted", "openssl pkey -in FILE"]
    case "public":
      path = key.publicFile
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      words = ["no private key"]
    case "missing":
      path += ".gone"
      words = ["no such file"]
    case "misfit":
      algorithm = "assertion_algorithm = \"RS256\""
      words = ["RS256", "ES256"]
    default:
      try Data("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n".utf8).write(to: URL(filePath: path))
      words = ["damaged"]
    }
    let place = try place(key, "assertion_key = \"\(path)\"\n" + algorithm)
    let outcome = try place.run("login", "work")
    outcome.expect(2)
    #expect(outcome.error.contains(path), "\(outcome.error)")
    for word in words { #expect(outcome.error.contains(word), "\(outcome.error)") }
    #expect(try place.lab.count("token") == 0)
    #expect(try place.stored() == nil)
  }

  @Test("a server that requires its token endpoint as the audience: status 6 names the key, with which it works")
  func audience() throws {
    let key = try ClientKey(.ed25519)
    let place = try place(key, "assertion_key = \"\(key.file)\"")
    try place.lab.change(#"{"assertion_audience":"token_endpoint"}"#)
    let refused = try place.run("login", "work")
    refused.expect(6, error: "assertion_audience", "it accepts: HS256")
    let more = "assertion_key = \"\(key.file)\"\nassertion_audience = \"\(place.lab.origin)/token\""
    try place.makeProfile(
      "work", "client_id = \"key\"\nclient_authentication = \"private_key_jwt\"\nflow = \"client-credentials\"\n" + more
    )
    #expect(try place.run("login", "work").status == 0)
  }

  @Test("the key of another client is refused by the server: status 6, nothing stored")
  func wrongKey() throws {
    let (key, other) = (try ClientKey(.p256), try ClientKey(.p256))
    let place = try place(key)
    let outcome = try place.run("login", "work", "--client-key-file", other.file)
    outcome.expect(6)
    #expect(try place.stored(kind: "key") == nil)
  }

  @Test("a key where the profile names a file, or where none is used: status 2")
  func contradiction() throws {
    let key = try ClientKey(.p256)
    let place = try place(key, "assertion_key = \"\(key.file)\"")
    let named = try place.run("login", "work", "--client-key-file", key.file)
    named.expect(2, error: "assertion_key")
    try place.makeProfile("open")
    let unused = try place.run("login", "open", "--client-key-file", key.file)
    unused.expect(2, error: "private_key_jwt")
  }

  @Test("neither the key nor an assertion is shown, however verbose the log")
  func secrecy() throws {
    let key = try ClientKey(.p256)
    let place = try place(key, "assertion_key = \"\(key.file)\"")
    let outcome = try place.run("login", "work", "-v", "--json")
    try #require(outcome.status == 0, "\(outcome.error)")
    for line in try key.text().split(separator: "\n").dropFirst().dropLast() {
      #expect(!outcome.error.contains(line))
    }
    #expect(!outcome.error.contains("eyJ"))
    #expect(!outcome.text.contains("eyJ"))
  }
}
