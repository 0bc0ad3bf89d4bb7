import Foundation
import TestSupport
import Testing

@Suite("the token stays with its origins, end to end")
struct OriginTests {
  @Test("an international host is one origin in all its spellings, and is asked for in its xn-- form")
  func international() throws {
    let place = try Workplace.loggedIn("api = [\"https://bücher.example/v1\"]")
    let proxy = ["https_proxy": "http://127.0.0.1:1"]
    for url in ["me", "https://BÜCHER.example/v1/me", "https://xn--bcher-kva.example:443/v1/me"] {
      let outcome = try place.run("call", url, environment: proxy)
      outcome.expect(5, error: "calling https://xn--bcher-kva.example/v1/me")
    }
    #expect(try place.run("call", "https://bucher.example/v1/me", environment: proxy).status == 7)
    let refused = try place.run("call", "https://a\u{2100}b.example/", environment: proxy)
    #expect(refused.status == 2)
    #expect(refused.error.contains("its host is malformed"))
  }

  @Test("a redirect is the response; with -L it is followed, and no token goes to the other origin")
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
}
