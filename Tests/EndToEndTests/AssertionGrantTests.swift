import Crypto
import Foundation
import TestSupport
import Testing

@Suite("the grants by assertion and by exchange, end to end")
struct AssertionGrantTests {
  private func place(_ key: ClientKey, _ more: String = "") throws -> Workplace {
    let place = try Workplace(lab: ["--key-client", "key:\(key.publicFile)"])
    try place.makeProfile("work", "client_id = \"key\"\nflow = \"jwt-bearer\"\n" + more)
    return place
  }

  @Test("the client signs for the user; when the token has expired it signs again")
  func signed() throws {
    let key = try ClientKey(.p256)
    let place = try place(key, "assertion_key = \"\(key.file)\"")
    let outcome = try place.run("login", "work")
    try #require(outcome.status == 0, "\(outcome.error)")
    #expect(try place.run("call", "me").json().string("sub") == "alice")
    #expect(try place.pair().string("refresh_token") == nil)
    try place.lab.expireAccessTokens()
    #expect(try place.run("call", "me").json().string("sub") == "alice")
    #expect(try place.lab.count("token.jwt-bearer.ok") == 2)
    #expect(try place.lab.count("assertion.replayed") == 0)
    Cell(flow: "jwt-bearer", authentication: "none", server: "authlab").ran()
  }

  @Test("with a key from the keyring, and the client authenticated by it as well")
  func authenticated() throws {
    let key = try ClientKey(.rsa)
    let place = try place(key, "client_authentication = \"private_key_jwt\"")
    let outcome = try place.run("login", "work", "--client-key-file", key.file)
    try #require(outcome.status == 0, "\(outcome.error)")
    try place.lab.expireAccessTokens()
    #expect(try place.run("call", "me").json().string("sub") == "alice")
    #expect(try place.lab.count("assertion.RS256") == 4)
    Cell(flow: "jwt-bearer", authentication: "private_key_jwt RS256", server: "authlab").ran()
  }

  @Test("without a key: status 3 names the option; nothing is sent")
  func noKey() throws {
    let place = try place(ClientKey(.p256))
    let outcome = try place.run("login", "work")
    outcome.expect(3, error: "--client-key-file")
    #expect(try place.lab.count("token") == 0)
  }

  @Test("an assertion that is given works until the token has expired: then status 3", arguments: [true, false])
  func given(fromFile: Bool) throws {
    let key = try ClientKey(.p256)
    let place = try place(key)
    let assertion = try assertion(key, place)
    let file = place.session.directory.appending(path: "assertion")
    try Data((assertion + "\n").utf8).write(to: file)
    let outcome = try place.run(
      ["login", "work"] + (fromFile ? ["--assertion-file", file.path] : ["--assertion-stdin"]),
      input: fromFile ? .nothing : .text(assertion))
    try #require(outcome.status == 0, "\(outcome.error)")
    #expect(try place.run("call", "me").json().string("sub") == "alice")
    try place.lab.expireAccessTokens()
    let expired = try place.run("call", "me")
    expired.expect(3)
    #expect(try place.lab.count("token") == 1)
    let again = try place.run(["login", "work", "--assertion-stdin"], input: .text(assertion))
    again.expect(6, error: "used before")
  }

  /// What another issuer has signed for alice.
  private func assertion(_ key: ClientKey, _ place: Workplace) throws -> String {
    let now = Int(Date().timeIntervalSince1970)
    let parts = [
      #"{"alg":"ES256"}"#,
      #"{"iss":"key","sub":"alice","aud":"\#(place.lab.origin)","jti":"1","iat":\#(now),"exp":\#(now + 60)}"#,
    ].map { encode(Data($0.utf8)) }
    let signed = parts.joined(separator: ".")
    let signer = try P256.Signing.PrivateKey(pemRepresentation: key.text())
    return try signed + "." + encode(signer.signature(for: Data(signed.utf8)).rawRepresentation)
  }

  private func encode(_ data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  // MARK: - Token exchange

  /// A token of alice's that another client has got.
  private func subjectToken(_ place: Workplace) throws -> String {
    let form = [
      (name: "grant_type", value: "password"), ("username", "alice"), ("password", "alice-pass"), ("client_id", "cli"),
    ]
    guard let token = try place.lab.post("/token", form: form).string("access_token") else {
      throw SessionError("no token")
    }
    return token
  }

  private func exchangePlace() throws -> Workplace {
    let place = try Workplace()
    try place.makeProfile("work", "flow = \"token-exchange\"")
    return place
  }

  @Test("a token is exchanged for one of the same user, with and without an actor", arguments: [true, false])
  func exchange(withActor: Bool) throws {
    let place = try exchangePlace()
    let subject = try subjectToken(place)
    let file = place.session.directory.appending(path: "actor")
    try Data((try subjectToken(place) + "\n").utf8).write(to: file)
    let more = withActor ? ["--actor-token-file", file.path, "--actor-token-type", "jwt"] : []
    let outcome = try place.run(
      ["login", "work", "--subject-token-stdin", "--requested-token-type", "access_token"] + more,
      input: .text(subject + "\n"))
    try #require(outcome.status == 0, "\(outcome.error)")
    #expect(try place.pair().string("access_token") != subject)
    #expect(try place.run("call", "me").json().string("sub") == "alice")
    #expect(try place.lab.count("exchange.with_actor") == (withActor ? 1 : 0))
    try place.lab.expireAccessTokens()
    #expect(try place.run("call", "me").status == 3)
    Cell(flow: "token-exchange", authentication: "none", server: "authlab").ran()
  }

  @Test("a refresh token of its own is used as any other")
  func refreshed() throws {
    let place = try exchangePlace()
    try place.lab.change(#"{"refresh_token_for_client_credentials":true}"#)
    let file = place.session.directory.appending(path: "subject")
    try Data(try subjectToken(place).utf8).write(to: file)
    #expect(try place.run("login", "work", "--subject-token-file", file.path).status == 0)
    try place.lab.expireAccessTokens()
    #expect(try place.run("call", "me").json().string("sub") == "alice")
  }

  @Test("a token that is not an access token is refused: status 6, nothing stored")
  func noAccessToken() throws {
    let place = try exchangePlace()
    let outcome = try place.run(
      ["login", "work", "--subject-token-stdin", "--requested-token-type", "id_token"],
      input: .text(subjectToken(place)))
    outcome.expect(6, error: "token-type:id_token")
    #expect(try place.stored() == nil)
  }
}
