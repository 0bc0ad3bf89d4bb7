import Foundation
import TestSupport
import Testing

@Suite("RegistrationRun") struct RegistrationRunTests {
  @Test("no client ID, and a server that registers none: status 2, with the redirect URI and the command to type")
  func noClient() async throws {
    let place = try Workplace()
    let outcome = try await place.run(
      "login", "work", "--issuer", place.lab.origin, "--api", place.lab.origin + "/api", "--scope", "openid api")
    #expect(outcome.status == 2)
    #expect(
      outcome.error == """
        authctl: profile work: client_id is missing
          register a client at \(place.lab.origin) with the redirect URI http://127.0.0.1/callback, then run: \
        authctl login work --issuer \(place.lab.origin) --scope 'openid api' \
        --api \(place.lab.origin)/api --client-id ID

        """)
    #expect(!FileManager.default.fileExists(atPath: place.file().path))
  }

  @Test("a profile without a client ID is shown, and its login names the file to edit")
  func fileWithoutClient() async throws {
    let place = try Workplace()
    try place.write("issuer = \"\(place.lab.origin)\"\n")
    let shown = try await place.run("profile", "show", "work")
    #expect(shown.status == 0, "\(shown.error)")
    let outcome = try await place.run("login", "work")
    #expect(outcome.status == 2)
    #expect(outcome.error.contains("then add client_id = \"…\" to \(place.file().path)\n"), "\(outcome.error)")
  }
}
