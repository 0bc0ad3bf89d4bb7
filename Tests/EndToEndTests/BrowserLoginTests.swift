import Foundation
import TestSupport
import Testing

@Suite("login in the browser, end to end")
struct BrowserLoginTests {
  @Test("an approval stores the pair, writes the profile, and the API can be called")
  func approval() throws {
    let place = try Workplace()
    let outcome = try place.run(place.browserLogin(), environment: place.browser())
    try #require(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.output.isEmpty)
    let pair = try place.pair()
    #expect(pair.string("access_token")?.isEmpty == false)
    #expect(pair.string("refresh_token")?.isEmpty == false)
    #expect(pair.string("scope") == "openid api")
    let requests = try place.lab.lastRequests()
    let query = try #require(requests.first { $0.endpoint == "authorize" }?.target)
    for part in ["response_type=code", "code_challenge_method=S256", "code_challenge=", "state=", "nonce="] {
      #expect(query.contains(part), "\(part)")
    }
    let form = try #require(requests.first { $0.endpoint == "token.authorization_code" }?.form)
    for part in ["code_verifier=", "redirect_uri=http%3A%2F%2F127.0.0.1%3A", "client_id=cli"] {
      #expect(form.contains(part), "\(part)")
    }
    #expect(try place.run("call", "me").json().string("sub") == "alice")
    let page = try place.browserLog()
    #expect(page.contains("alice is logged in to profile work.") && page.contains("You can close this window"))
  }

  @Test("a denial ends the login with status 6 (real-servers.md, 14)")
  func denial() throws {
    let place = try Workplace()
    let outcome = try place.run(place.browserLogin(["--timeout", "60s"]), environment: place.browser("deny"))
    outcome.expect(6, error: "denied")
    #expect(try place.stored() == nil)
    #expect(!FileManager.default.fileExists(atPath: place.file().path))
  }

  @Test(
    "a request for an icon, a repeated response, one as a form: the login succeeds (real-servers.md, 15)",
    arguments: [("favicon", [String]()), ("twice", []), ("approve", ["form_post"])])
  func oddArrivals(action: String, mode: [String]) throws {
    let place = try Workplace()
    try place.makeProfile(
      "work", "flow = \"browser\"",
      tables: mode.isEmpty ? "" : "[parameters]\nauthorization = { response_mode = \"form_post\" }\n")
    let outcome = try place.run(["login", "work"], environment: place.browser(action))
    outcome.expect(0)
    #expect(try place.lab.count("token.authorization_code") == 1)
    #expect(try place.stored() != nil)
  }

  @Test("a form that is encoded twice is understood (real-servers.md, 15)")
  func doubleEncoding() throws {
    let place = try Workplace()
    let (run, request) = try place.startLogin()
    let location = try place.redirect(of: request)
    let query = try #require(URLComponents(string: location)?.queryItems)
    let allowed = CharacterSet.alphanumerics
    let form = query.map { item in
      let once = item.value?.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
      return item.name + "=" + (once.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")
    }
    // The state has letters, digits, - and _ only, and so has the code: the issuer is what suffers.
    let response = try request.visit("/callback", method: "POST", form: form.joined(separator: "&"))
    #expect(response.status == 200)
    let outcome = try run.wait()
    outcome.expect(0)
  }

  @Test(
    "an empty request, an icon and a wrong path get a plain response, and the wait continues (real-servers.md, 15)")
  func strayHits() throws {
    let place = try Workplace()
    let (run, request) = try place.startLogin()
    #expect(try request.visit("/favicon.ico").status == 404)
    #expect(try request.visit("/callback").status == 400)
    #expect(try request.visit("/callback?", method: "PUT").status == 405)
    try run.waitUntilError(contains: "without a code")
    #expect(try request.visit(place.redirect(of: request)).status == 200)
    let outcome = try run.wait()
    outcome.expect(0)
    #expect(try place.stored() != nil)
  }

  @Test(
    "a forged hit (wrong or no state, no top-level navigation) does not end the login (real-servers.md, 14)",
    arguments: [
      ("/callback?code=forged&state=forged", [String: String](), 400), ("/callback?code=forged", [:], 400),
      ("/callback?error=access_denied&state=forged", [:], 400), ("/callback?error=access_denied", [:], 400),
      ("/callback?error=access_denied", ["Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"], 403),
      ("/callback?error=access_denied", ["sec-fetch-mode": "cors", "Sec-Fetch-Site": "cross-site"], 403),
      ("/callback?error=access_denied", ["Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"], 403),
    ])
  func forgedHit(target: String, fields: [String: String], status: Int) throws {
    let place = try Workplace()
    let (run, request) = try place.startLogin()
    #expect(try request.visit(target, headers: fields).status == status)
    let response = try request.visit(place.redirect(of: request), headers: ["Sec-Fetch-Mode": "navigate"])
    #expect(response.status == 200)
    let outcome = try run.wait()
    outcome.expect(0)
    #expect(try place.lab.count("token.authorization_code") == 1)
    #expect(try place.stored() != nil)
  }

  @Test("a browser that fails to start: the page's address is printed, with -q too", arguments: [[], ["-q"]])
  func failingBrowser(options: [String]) throws {
    let place = try Workplace()
    let run = try place.start(place.browserLogin(options), environment: ["BROWSER": "/bin/false"])
    try run.waitUntilError(contains: "could be started")
    try run.waitUntilError(contains: "/authorize?")
    try Waiting.until("the whole address") { run.errorSoFar.hasSuffix("\n") }
    let request = try AuthorizationURL(in: run.errorSoFar)
    #expect(try request.visit(place.redirect(of: request)).status == 200)
    #expect(try run.wait().status == 0)
  }

  @Test("an image of the login's own response does not end it: only a navigation brings the response")
  func imageWithState() throws {
    let place = try Workplace()
    let (run, request) = try place.startLogin()
    let target = "/callback?error=access_denied&state=\(request.parameter("state") ?? "")"
    #expect(try request.visit(target, headers: ["Sec-Fetch-Dest": "image"]).status == 403)
    let document = ["Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "cross-site"]
    #expect(try request.visit(target, headers: document).status == 200)
    let outcome = try run.wait()
    outcome.expect(6, error: "denied")
  }

  @Test("an error in the fragment, which no listener sees, ends in the time-out (real-servers.md, 15)")
  func errorInFragment() throws {
    let place = try Workplace()
    try place.lab.change(#"{"authorization_oddity":"error-in-fragment"}"#)
    // The browser must have come before the time is over, which it does later on a busy machine.
    var outcome: Outcome
    var seconds = 1
    repeat {
      outcome = try place.run(place.browserLogin(["--timeout", "\(seconds)s"]), environment: place.browser())
      outcome.expect(5)
      seconds *= 4
    } while !outcome.error.contains("without a code") && seconds < 100
    #expect(outcome.error.contains("without a code"), "\(outcome.error)")
  }

  @Test("an abandoned login waits until --timeout, then the status is 5 (real-servers.md, 14)")
  func walkAway() throws {
    let place = try Workplace()
    let outcome = try place.run(place.browserLogin(["--timeout", "1s"]), environment: place.browser("walk-away"))
    outcome.expect(5)
    #expect(outcome.seconds > 0.9)
    #expect(try place.stored() == nil)
    #expect(!FileManager.default.fileExists(atPath: place.file().path))
  }

  @Test("a signal during the wait ends it: nothing is stored, the port is free", arguments: [SIGINT, SIGTERM, SIGHUP])
  func signal(number: Int32) throws {
    let place = try Workplace()
    let (run, request) = try place.startLogin()
    run.send(number)
    #expect(try run.wait().status == 128 + number)
    #expect(try place.stored() == nil)
    #expect(!FileManager.default.fileExists(atPath: place.file().path))
    #expect(throws: (any Error).self) { try request.visit("/callback") }
  }

  @Test("of several redirect URIs the first whose port is free is taken (real-servers.md, 13)")
  func redirectURIs() throws {
    let place = try Workplace()
    let (first, taken) = try place.startLogin()
    let free = try FreePort.find()
    let uris = [
      "--redirect-uri", "http://127.0.0.1:\(taken.port)/callback", "--redirect-uri", "http://localhost:\(free)/back",
    ]
    let (second, request) = try place.startLogin(uris)
    #expect(request.parameter("redirect_uri") == "http://localhost:\(free)/back")
    #expect(try request.visit(place.redirect(of: request)).status == 200)
    #expect(try second.wait().status == 0)
    first.send(SIGTERM)
    try first.wait()
    let both = try place.startLogin(["--redirect-uri", "http://localhost:\(free)/back"])
    let third = try place.run(
      place.browserLogin(["--no-browser", "--redirect-uri", "http://localhost:\(free)/back"]))
    third.expect(5, error: "in use")
    both.run.send(SIGTERM)
    try both.run.wait()
  }
}
