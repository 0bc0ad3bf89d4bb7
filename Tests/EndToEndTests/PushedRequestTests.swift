import Foundation
import TestSupport
import Testing

@Suite("pushed authorization requests, end to end")
struct PushedRequestTests {
  @Test("the browser carries a reference, whether they are offered or required", arguments: ["offered", "required"])
  func pushed(par: String) throws {
    let place = try Workplace()
    try place.lab.change(#"{"par":"\#(par)"}"#)
    let outcome = try place.run(
      place.browserLogin(["--resource", "https://api.example"]), environment: place.browser())
    try #require(outcome.status == 0, "\(outcome.error)")
    let requests = try place.lab.lastRequests()
    let target = try #require(requests.first { $0.endpoint == "authorize" }?.target)
    #expect(
      target.hasPrefix(
        "/authorize?client_id=cli&response_type=code&request_uri=urn%3Aietf%3Aparams%3Aoauth%3Arequest_uri%3A"))
    #expect(!target.contains("state="))
    let form = try #require(requests.first { $0.endpoint == "par" }?.form)
    for part in ["code_challenge=", "state=", "nonce=", "resource=https%3A%2F%2Fapi.example"] {
      #expect(form.contains(part), "\(part)")
    }
    let exchange = try #require(requests.first { $0.endpoint == "token.authorization_code" }?.form)
    #expect(exchange.contains("resource=https%3A%2F%2Fapi.example"))
    #expect(try place.run("call", "me").json().string("sub") == "alice")
    Cell(flow: "browser, pushed", authentication: "none", server: "authlab").ran()
  }

  @Test(
    "the client authenticates for it",
    arguments: [
      ("svc", "client_secret_basic", "svc-secret"), ("svc", "client_secret_post", "svc-secret"),
      ("hmac", "client_secret_jwt", "hmac-secret-of-more-than-32-bytes"),
    ])
  func authenticated(client: String, method: String, secret: String) throws {
    let place = try Workplace()
    try place.lab.change(#"{"par":"required"}"#)
    try place.makeProfile(
      "work", "client_id = \"\(client)\"\nclient_authentication = \"\(method)\"\nflow = \"browser\"")
    let outcome = try place.run(
      ["login", "work", "--client-secret-stdin"], input: .text(secret), environment: place.browser())
    outcome.expect(0)
    #expect(try place.lab.count("par.ok") == 1)
    Cell(flow: "browser, pushed", authentication: method, server: "authlab").ran()
  }
}
