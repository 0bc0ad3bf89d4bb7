import Foundation
import TestSupport
import Testing

@Suite("ClientSecretFileRun") struct ClientSecretFileRunTests {
  /// A place with a profile of the client-credentials flow, whose secret is in a file.
  private func place(_ secret: String = "svc-secret\n", _ more: String = "") throws -> (Workplace, file: String) {
    let place = try Workplace()
    let file = try place.secretFile(secret)
    try place.makeProfile(
      "work",
      """
      flow = "client-credentials"
      client_id = "svc"
      client_authentication = "client_secret_basic"
      client_secret_file = "\(file)"

      """ + more)
    return (place, file)
  }

  @Test("login, call, refresh and logout read it; it is not stored")
  func life() async throws {
    let (place, file) = try place()
    let login = try await place.run("login", "work")
    login.expect(0)
    #expect(try place.stored(kind: "client-secret") == nil)
    try place.waitForExpiry()
    let call = try await place.run("call", "me")
    #expect(try call.json().string("sub") == "svc", "\(call.error)")
    try FileManager.default.removeItem(atPath: file)
    let refused = try await place.run("refresh", "work")
    #expect(refused.status == 2)
    #expect(refused.error.contains("the client secret \(file): there is no such file"), "\(refused.error)")
    _ = try place.secretFile("svc-secret")
    let logout = try await place.run("logout", "work")
    #expect(logout.error.contains("tokens revoked"), "\(logout.error)")
    #expect(!(login.error + call.error + refused.error + logout.error).contains("svc-secret"))
  }

  @Test("a file that others may read: status 2 with the remedy, nothing is sent, and no prompt is shown")
  func tooOpen() async throws {
    let (place, file) = try place()
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
    let console = try FakeConsole(answers: ["svc-secret"])
    let login = await place.run(["login", "work"], at: console)
    #expect(login.status == 2)
    #expect(login.error.contains("other users may access it (mode 640)") && login.error.contains("chmod 600 \(file)"))
    #expect(try await place.lab.count("token") == 0)
  }

  @Test("a credential is found by $CREDENTIALS_DIRECTORY; without it, status 2 with the line for the service")
  func credential() async throws {
    let (place, file) = try place("svc-secret", "client_secret_file = \"credential:secret\"")
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file)
    let refused = try await place.run("login", "work")
    #expect(refused.status == 2)
    #expect(refused.error.contains("LoadCredential=secret:"), "\(refused.error)")
    let folder = place.folder.path
    let login = try await place.run(["login", "work"], environment: ["CREDENTIALS_DIRECTORY": folder])
    login.expect(0)
    let shown = try await place.run("profile", "show", "work", "--offline")
    #expect(shown.text.contains("credential:secret"), "\(shown.text)")
    #expect(shown.text.contains("$CREDENTIALS_DIRECTORY is not set"), "\(shown.text)")
    let inside = try await place.run(
      ["profile", "show", "work", "--offline"], environment: ["CREDENTIALS_DIRECTORY": folder])
    #expect(!inside.text.contains("CREDENTIALS_DIRECTORY"), "\(inside.text)")
  }

  @Test("a secret that is given beside the file: status 2 with both", arguments: [true, false])
  func both(isFile: Bool) async throws {
    let (place, _) = try place()
    let other = try place.secretFile("svc-secret", "other")
    let options = isFile ? ["--client-secret-file", other] : ["--client-secret-stdin"]
    let login = try await place.run(["login", "work"] + options, input: .text("svc-secret"))
    #expect(login.status == 2)
    #expect(login.error.contains("\(options[0]): profile work names a file of its own as client_secret_file"))
    #expect(try await place.lab.count("token") == 0)
  }

  @Test("the file of a client without a secret: status 2 with the line in the profile")
  func noSecretNeeded() async throws {
    let (place, _) = try place("x", "flow = \"password\"\nclient_authentication = \"none\"")
    let outcome = try await place.run("status", "work")
    #expect(outcome.status == 2)
    #expect(outcome.error.contains("client_authentication = \"none\" uses no client secret"), "\(outcome.error)")
  }

  @Test("profile show reports a secret that others may read")
  func shown() async throws {
    let (place, file) = try place()
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    let shown = try await place.run("profile", "show", "work", "--offline")
    #expect(shown.text.contains("other users can read the client secret: \(file)"), "\(shown.text)")
  }
}
