import Foundation
import TestSupport
import Testing

@Suite("OriginRun") struct OriginRunTests {
  @Test("another origin on the command line: status 7, and nothing is sent")
  func foreignOrigin() async throws {
    let place = try await Workplace.loggedIn()
    let other = try place.otherLab()
    for arguments in [["-p", "work"], []] {
      let outcome = try await place.run(["call"] + arguments + [other.origin + "/api/me"])
      outcome.expect(7)
      #expect(outcome.text.isEmpty)
    }
    let localhost = place.lab.origin.replacing("127.0.0.1", with: "localhost")
    #expect(try await place.run("call", localhost + "/api/me").status == 7)
    #expect(try await other.lastRequests().isEmpty)
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  @Test("tricks with the address don't change the origin", arguments: ["@", ":80@", "%40"])
  func tricks(infix: String) async throws {
    let place = try await Workplace.loggedIn()
    let other = try place.otherLab()
    let host = other.origin.replacing("http://", with: "")
    let outcome = try await place.run("call", place.lab.origin + infix + host + "/api/me")
    #expect([2, 7].contains(outcome.status), "\(outcome.error)")
    #expect(try await other.lastRequests().isEmpty)
  }

  @Test(
    "a secret in an address that can't be used is not repeated", arguments: ["me", "htt p://a.example/", "http:/a"])
  func secretInAddress(address: String) async throws {
    let place = try Workplace()
    try place.makeProfile("work", "api = []")
    let outcome = try await place.run("call", address + "?access_token=hush-7d41")
    outcome.expect(2, error: "access_token=‹redacted›: ")
    #expect(!outcome.error.contains("hush"))
  }

  @Test("the same address in another spelling is the same origin", arguments: ["127.1", "0x7f.0.0.1", "2130706433"])
  func spellings(host: String) async throws {
    let place = try await Workplace.loggedIn()
    let outcome = try await place.run("call", place.lab.origin.replacing("127.0.0.1", with: host) + "/api/me")
    outcome.expect(0)
    #expect(try outcome.json().string("sub") == "alice")
  }

  @Test("a redirect within the origin keeps the token; one that has left it has lost it, also when it comes back")
  func sameOrigin() async throws {
    let place = try await Workplace.loggedIn()
    #expect(try await place.run("call", "-L", "redirect?to=/api/me").json().string("sub") == "alice")
    let other = try place.otherLab()
    let back = "redirect?to=\(other.origin)/open/redirect?to=\(place.lab.origin)/api/me"
    #expect(try await place.run("call", "-L", back).status == 22)
    #expect(try await place.lab.lastRequests().last?.header("authorization") == nil)
    #expect(try await place.lab.count("token") == 0)
  }

  @Test("a redirect without end is given up: status 1")
  func endless() async throws {
    let place = try await Workplace.loggedIn()
    let outcome = try await place.run(
      "call", "-L", "--no-auth", place.lab.origin + "/open/redirect?to=/open/redirect%3Fto%3D/open/nowhere")
    #expect(outcome.status == 22)
    try await place.lab.fail(#"{"endpoint":"open","kind":"redirect","location":"/open/x"}"#)
    let lost = try await place.run("call", "-L", "--no-auth", place.lab.origin + "/open/x")
    lost.expect(1, error: "50 redirects")
  }
}
