import Foundation
import TestSupport
import Testing

@Suite("a client with a certificate, end to end")
struct CertificateTests {
  private func place(_ server: CertificateServer, certificate: String = "robot", key: String = "robot") throws
    -> Workplace
  {
    let place = try Workplace()
    try place.makeProfile(
      "work",
      """
      issuer = "\(server.issuer)"
      client_id = "robot"
      client_authentication = "tls_client_auth"
      flow = "client-credentials"
      api = ["\(server.api)"]
      """,
      tables: """
        [network]
        cacert = "\(server.folder)/ca.pem"
        client_certificate = "\(server.folder)/\(certificate).pem"
        client_key = "\(server.folder)/\(key).key"
        """)
    return place
  }

  private func count(_ name: String, _ server: CertificateServer, _ place: Workplace) throws -> Int? {
    let text = try place.session.run("curl", ["-s", "--cacert", "\(server.folder)/ca.pem", server.issuer + "/counts"])
    return try JSONObject(Data(text.utf8)).integer(name)
  }

  @Test("login, call, renewal and revocation by certificate, at the aliases of the metadata (RFC 8705, sections 2, 5)")
  func life() throws {
    let server = try CertificateServer()
    let place = try place(server)
    let outcome = try place.run("login", "work")
    try #require(outcome.status == 0, "\(outcome.error)")
    let call = try place.run("call", "me")
    try #require(call.status == 0, "\(call.error)")
    #expect(try call.json().string("sub") == "robot")
    #expect(try place.run("refresh", "work").status == 0)
    #expect(try place.run("logout", "work").error.contains("tokens revoked"))
    #expect(try count("token", server, place) == 2)
    #expect(try count("revoke", server, place) == 1)
    #expect(try count("refused", server, place) == nil)
    Cell(flow: "client-credentials", authentication: "tls_client_auth", server: "mtls.py").ran()
  }

  @Test("the certificate of another client: status 6, and the hint names the place in the profile")
  func otherClient() throws {
    let server = try CertificateServer()
    let outcome = try place(server, certificate: "other", key: "other").run("login", "work")
    #expect(outcome.status == 6, "\(outcome.error)")
    #expect(outcome.error.contains("client_certificate in [network]"), "\(outcome.error)")
  }

  @Test("a certificate that does not belong to the key: status 5 with the reason, nothing is stored")
  func mismatch() throws {
    let server = try CertificateServer()
    let place = try place(server, certificate: "robot", key: "other")
    let outcome = try place.run("login", "work")
    #expect(outcome.status == 5, "\(outcome.error)")
    #expect(try place.stored() == nil)
  }

  @Test("a profile without the certificate: status 2 with the place in the file")
  func missing() throws {
    let place = try Workplace()
    try place.makeProfile("work", "client_authentication = \"tls_client_auth\"")
    let outcome = try place.run("login", "work")
    #expect(outcome.status == 2, "\(outcome.error)")
    #expect(outcome.error.contains("work.toml:7:1: tls_client_auth needs 'client_certificate'"), "\(outcome.error)")
  }
}
