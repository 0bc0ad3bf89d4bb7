import Foundation
import TestSupport
import Testing

@Suite("the token stays with its origins, end to end")
struct OriginTests {
  @Test("another origin on the command line: status 7, and nothing is sent to anybody")
  func foreignOrigin() throws {
    let place = try Workplace.loggedIn()
    let other = try Authlab()
    for arguments in [["-p", "work"], []] {
      let outcome = try place.run(["call"] + arguments + [other.origin + "/api/me"])
      #expect(outcome.status == 7, "\(outcome.error)")
      #expect(outcome.text.isEmpty)
    }
    let localhost = place.lab.origin.replacing("127.0.0.1", with: "localhost")
    #expect(try place.run("call", localhost + "/api/me").status == 7)
    #expect(try other.lastRequests().isEmpty)
    #expect(try place.lab.lastRequests().isEmpty)
  }

  @Test("tricks with the address don't change the origin", arguments: ["@", ":80@", "%40"])
  func tricks(infix: String) throws {
    let place = try Workplace.loggedIn()
    let other = try Authlab()
    let host = other.origin.replacing("http://", with: "")
    let outcome = try place.run("call", place.lab.origin + infix + host + "/api/me")
    #expect([2, 7].contains(outcome.status), "\(outcome.error)")
    #expect(try other.lastRequests().isEmpty)
  }

  @Test("the same address in another spelling is the same origin", arguments: ["127.1", "0x7f.0.0.1", "2130706433"])
  func spellings(host: String) throws {
    let place = try Workplace.loggedIn()
    let outcome = try place.run("call", place.lab.origin.replacing("127.0.0.1", with: host) + "/api/me")
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(try outcome.json().string("sub") == "alice")
  }

  @Test("an international host is one origin in all its spellings, and is asked for in its xn-- form")
  func international() throws {
    let place = try Workplace.loggedIn("api = [\"https://bücher.example/v1\"]")
    let proxy = ["https_proxy": "http://127.0.0.1:1"]
    for url in ["me", "https://BÜCHER.example/v1/me", "https://xn--bcher-kva.example:443/v1/me"] {
      let outcome = try place.run("call", url, environment: proxy)
      #expect(outcome.status == 5, "\(outcome.error)")
      #expect(outcome.error.contains("calling https://xn--bcher-kva.example/v1/me"))
    }
    #expect(try place.run("call", "https://bucher.example/v1/me", environment: proxy).status == 7)
    let refused = try place.run("call", "https://a\u{2100}b.example/", environment: proxy)
    #expect(refused.status == 2)
    #expect(refused.error.contains("its host is malformed"))
  }

  @Test("a redirect is the answer; with -L it is followed, and no token goes to the other origin")
  func redirects() throws {
    let place = try Workplace.loggedIn()
    let other = try Authlab()
    let there = "redirect?to=\(other.origin)/open/echo"
    #expect(try place.run("call", "-i", there).text.hasPrefix("HTTP/1.1 302"))
    #expect(try other.lastRequests().isEmpty)
    let outcome = try place.run("call", "-L", "-H", "Cookie: a=b", "-H", "X-Mine: 1", "-H", "Accept: a/b", there)
    let seen = try outcome.json()
    #expect(seen.header("Authorization") == nil)
    #expect(seen.header("Cookie") == nil)
    #expect(seen.header("X-Mine") == nil)
    #expect(seen.header("Accept") == "a/b")
    let warning = "authctl: warning: the redirect leads to another origin, \(other.origin): not sent there: "
    #expect(outcome.error.contains(warning + "Cookie, X-Mine\n"))
    #expect(try other.lastRequests().last?.header("authorization") == nil)
    let refused = try place.run("call", "-L", "redirect?to=\(other.origin)/api/me")
    #expect(refused.status == 22)
    #expect(try place.lab.count("token") == 0)
  }

  @Test("a redirect within the origin keeps the token; one that has left it has lost it, also when it comes back")
  func sameOrigin() throws {
    let place = try Workplace.loggedIn()
    #expect(try place.run("call", "-L", "redirect?to=/api/me").json().string("sub") == "alice")
    let other = try Authlab()
    let back = "redirect?to=\(other.origin)/open/redirect?to=\(place.lab.origin)/api/me"
    #expect(try place.run("call", "-L", back).status == 22)
    #expect(try place.lab.lastRequests().last?.header("authorization") == nil)
    #expect(try place.lab.count("token") == 0)
  }

  @Test("a redirect without end is given up: status 1")
  func endless() throws {
    let place = try Workplace.loggedIn()
    let outcome = try place.run(
      "call", "-L", "--no-auth", place.lab.origin + "/open/redirect?to=/open/redirect%3Fto%3D/open/nowhere")
    #expect(outcome.status == 22)
    try place.lab.fail(#"{"endpoint":"open","kind":"redirect","location":"/open/x"}"#)
    let lost = try place.run("call", "-L", "--no-auth", place.lab.origin + "/open/x")
    #expect(lost.status == 1, "\(lost.error)")
    #expect(lost.error.contains("50 redirects"), "\(lost.error)")
  }
}
