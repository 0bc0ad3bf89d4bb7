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

  @Test("login, call, refresh and revocation by certificate, at the aliases of the metadata (RFC 8705, sections 2, 5)")
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

  @Test("a first login by certificate, all of it given by options; the profile works from every folder")
  func options() throws {
    let server = try CertificateServer()
    let place = try Workplace()
    let outcome = try place.run(
      [
        "login", "robot", "--issuer", server.issuer, "--client-id", "robot", "--flow", "client-credentials", "--api",
        server.api, "--client-authentication", "tls_client_auth", "--cacert", "ca.pem", "--client-certificate",
        "robot.pem", "--client-key", "robot.key", "--connect-timeout", "10s",
      ], through: ["/bin/sh", "-c", "cd \(server.folder) && exec \"$0\" \"$@\""])
    try #require(outcome.status == 0, "\(outcome.error)")
    #expect(try place.run("refresh", "robot").status == 0)
    #expect(try place.run("call", "me").json().string("sub") == "robot")
  }

  @Test("a file of [network] that does not exist: status 2, key and file are named, nothing is sent")
  func noFile() throws {
    let place = try Workplace()
    try place.makeProfile("work", tables: "[network]\ncacert = \"none.pem\"\n")
    let outcome = try place.run("login", "work", "--password-stdin")
    outcome.expect(2)
    let path = place.file().deletingLastPathComponent().appending(path: "none.pem").path
    #expect(outcome.error.contains("'cacert' names a file that does not exist: \(path)"), "\(outcome.error)")
    #expect(try place.lab.lastRequests().isEmpty)
  }

  @Test("the certificate of another client: status 6, and the hint names the place in the profile")
  func otherClient() throws {
    let server = try CertificateServer()
    let outcome = try place(server, certificate: "other", key: "other").run("login", "work")
    outcome.expect(6, error: "client_certificate in [network]")
  }

  @Test("a certificate that does not belong to the key: status 5 with the reason, nothing is stored")
  func mismatch() throws {
    let server = try CertificateServer()
    let place = try place(server, certificate: "robot", key: "other")
    let outcome = try place.run("login", "work")
    outcome.expect(5)
    #expect(try place.stored() == nil)
  }

  @Test("a profile without the certificate: status 2 with the place in the file")
  func missing() throws {
    let place = try Workplace()
    try place.makeProfile("work", "client_authentication = \"tls_client_auth\"")
    let outcome = try place.run("login", "work")
    outcome.expect(2, error: "work.toml:7:1: tls_client_auth needs 'client_certificate'")
  }
}
