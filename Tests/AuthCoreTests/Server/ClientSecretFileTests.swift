import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AuthCore

@Suite("the client secret in a file")
struct ClientSecretFileTests {
  private let folder: TemporaryDirectory
  private let file: String

  init() throws {
    folder = try TemporaryDirectory()
    file = folder.path.appending("secret").string
    try put("shh\n")
  }

  private func put(_ text: String) throws {
    try folder.write(text, to: "secret")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
  }

  private func server(
    _ secrets: MemorySecrets = MemorySecrets(), _ transport: ScriptedTransport = ScriptedTransport(),
    _ change: (inout Profile) -> Void = { _ in }
  ) throws -> AuthorizationServer {
    let profile = try sampleProfile {
      $0.clientAuthentication = .post
      $0.clientSecretFile = file
      change(&$0)
    }
    return AuthorizationServer(
      profile: profile, connection: connection(transport), secrets: secrets, credentials: folder.path.string)
  }

  @Test("it is read each time, without its line end, and the stored secret is not read")
  func replaced() async throws {
    let secrets = MemorySecrets([.workClientSecret: Secret("old")])
    let server = try server(secrets)
    #expect(try await server.clientSecret(for: nil) == Secret("shh"))
    try put("new\r\n")
    #expect(try await server.clientSecret(for: nil) == Secret("new"))
    #expect(secrets.loads == 0)
  }

  @Test("it can be a credential of the service")
  func credential() async throws {
    let server = try server { $0.clientSecretFile = "credential:secret" }
    #expect(try await server.clientSecret(for: nil) == Secret("shh"))
  }

  @Test(
    "a file without a usable secret is refused before anything is sent",
    arguments: [
      ("", "it is empty"), ("\n", "it is empty"), ("a\nb", "it contains a line end or control character"),
      ("a\u{7F}", "it contains a line end or control character"),
    ])
  func unusable(text: String, why: String) async throws {
    try put(text)
    let server = try server()
    await #expect(
      throws: AuthError.usage(
        .init("the client secret \(file)", why: why, hint: "put the client secret alone into the file"))
    ) { try await server.clientSecret(for: nil) }
  }

  @Test("a refresh sends it; without the file it fails, and nothing is sent")
  func refresh() async throws {
    let transport = ScriptedTransport([.response(200, #"{"access_token":"A2","expires_in":60}"#)])
    let refresher = OAuthRefresher(try server(MemorySecrets(), transport))
    _ = try await refresher.refresh(samplePair())
    #expect(transport.requests.first?.form.contains("client_secret=shh") == true)
    try FileManager.default.removeItem(atPath: file)
    await #expect(throws: RefreshFailure.self) { try await refresher.refresh(samplePair()) }
    #expect(transport.requests.count == 1)
  }

  @Test("a revocation sends it to the profile's server, and not to a former one")
  func revocation() async throws {
    let transport = ScriptedTransport([.response(200), .response(200), .response(200), .response(200)])
    _ = try await server(MemorySecrets(), transport).revoke(samplePair())
    #expect(transport.requests.allSatisfy { $0.form.contains("client_secret=shh") })
    let count = transport.requests.count
    let moved = try server(MemorySecrets(), transport) { $0.issuer = "https://other.example" }
    _ = try await moved.revoke(samplePair())
    #expect(count > 0 && transport.requests.count > count)
    #expect(transport.requests.dropFirst(count).allSatisfy { !$0.form.contains("client_secret=shh") })
  }
}
