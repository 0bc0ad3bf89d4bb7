import Foundation
import TestSupport
import Testing

@Suite("PushedRequestRun") struct PushedRequestRunTests {
  @Test("an advertised endpoint that does not exist is not used, with a warning")
  func missing() async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"par":"missing"}"#)
    let outcome = try await place.run(place.browserLogin(), browser: place.browser())
    outcome.expect(0, error: "/par returned 404")
  }

  @Test("a client that is refused: status 6 before any browser is opened")
  func refused() async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"par":"required"}"#)
    try place.makeProfile(
      "work", "client_id = \"svc\"\nclient_authentication = \"client_secret_basic\"\nflow = \"browser\"")
    let outcome = try await place.run(
      ["login", "work", "--client-secret-stdin"], input: .text("wrong"), browser: place.browser())
    outcome.expect(6, error: "client_secret_post")
    #expect(try await place.lab.count("authorize") == 0)
  }

  @Test("a browser that does not come back after a pushed request: the message says that it was pushed")
  func timeout() async throws {
    for par in ["offered", "off"] {
      let place = try Workplace()
      try await place.lab.change(#"{"par":"\#(par)"}"#)
      let outcome = try await place.run(place.browserLogin(["--timeout", "1s"]), browser: place.browser(.dropCode))
      outcome.expect(5)
      let names = outcome.error.contains("the request was pushed (PAR): to send it without, set pushed_authorization_")
      #expect(names == (par == "offered"), "\(outcome.error)")
    }
  }

  @Test("a server that fails for the moment: status 5")
  func later() async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"par":"offered"}"#)
    try await place.lab.fail(#"{"endpoint":"par","kind":"status","status":503}"#)
    let outcome = try await place.run(place.browserLogin(), browser: place.browser())
    outcome.expect(5)
    #expect(try await place.lab.count("authorize") == 0)
  }
}
