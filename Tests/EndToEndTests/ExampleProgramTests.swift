import Foundation
import TestSupport
import Testing

@Suite("The example program of AuthCore, end to end")
struct ExampleProgramTests {
  private static let binary = Authlab.binary.deletingLastPathComponent().appending(path: "AuthCoreExample").path

  private func run(_ arguments: [String]) throws -> Outcome {
    let folder = FileManager.default.temporaryDirectory.appending(path: "example-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try ProgramRun(ExampleProgramTests.binary, arguments, environment: [:], folder: folder).wait()
  }

  @Test("everything that the articles show happens")
  func tour() throws {
    let lab = try Authlab(["--access-lifetime", "600"])
    let outcome = try run([lab.origin])
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(
      outcome.text == """
        logged in: Alice, alice@authlab.example, 200
        after a 401: Alice, renewals: 1
        no content: 204, 0 bytes
        logged out: true
        events: renewed, replaying after 401, cleared
        own server: alice
        own server, renewed by a closure: 1
        own server, logged out, revoked: true, logouts: 1
        Basic: true
        combined, after a 503 and a 401: numbered: true, token: true
        no authentication: token: false
        adapting alone: 401
        an empty body: the API says 204, and nothing more
        something else: the API has changed: number is missing
        an error: the API says 500: status_500, no message
        a broken connection: it may have worked: look before you repeat it
        no server: the network is not there: nothing was sent
        nobody logged in: log in
        an error of our own: notFound
        200 tasks: 200 fine, renewals: 1
        login required
        200 tasks of a dead session: 0 fine, logins wanted: 1

        """)
  }

  @Test("without an address it says how it is called")
  func usage() throws {
    let outcome = try run([])
    #expect(outcome.status == 2 && outcome.text == "usage: AuthCoreExample ORIGIN\n")
  }
}
