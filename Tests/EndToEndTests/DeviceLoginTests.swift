import Foundation
import TestSupport
import Testing

@Suite("login on another device, end to end")
struct DeviceLoginTests {
  /// The line of standard error that begins with an address and holds a text.
  private func page(_ run: ProgramRun, with text: String) throws -> String {
    let lines = run.errorSoFar.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    return try #require(lines.first { $0.hasPrefix("http") && $0.contains(text) })
  }

  @Test("code and page are shown; an approval on the page stores the pair, which can be used and refreshed")
  func approval() throws {
    let place = try Workplace()
    let run = try place.startDeviceLogin()
    let complete = try page(run, with: "?user_code=")
    let code = try #require(complete.split(separator: "=").last)
    #expect(run.errorSoFar.contains("enter this code:\n  \(code)\n"), "\(run.errorSoFar)")
    #expect(run.errorSoFar.contains("  \(place.lab.origin)/device\n"))
    #expect(try place.visit(complete).status == 0)
    let outcome = try run.wait()
    try #require(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.output.isEmpty)
    #expect(!outcome.error.contains("▀"), "no code is drawn into a file")
    let pair = try place.pair()
    #expect(pair.string("scope") == "api")
    #expect(try place.run("call", "me").json().string("sub") == "alice")
    #expect(try place.run("refresh", "work").status == 0)
    #expect(try place.run("status", "work").text.contains("valid"))
    #expect(try String(contentsOf: place.file(), encoding: .utf8).contains("flow = \"device\""))
    let forms = try place.lab.lastRequests().compactMap(\.form)
    #expect(forms.contains("scope=api&client_id=cli"))
  }

  @Test("a denial on the page: status 6, nothing is stored or written")
  func denial() throws {
    let place = try Workplace()
    let run = try place.startDeviceLogin()
    #expect(try place.visit(page(run, with: "?user_code="), "deny").status == 0)
    let outcome = try run.wait()
    outcome.expect(6, error: "denied")
    #expect(try place.stored() == nil)
    #expect(!FileManager.default.fileExists(atPath: place.file().path))
  }

  @Test("a confidential client authenticates at both endpoints")
  func confidential() throws {
    let place = try Workplace()
    let run = try place.start(place.deviceLogin(["--client-secret-stdin"], client: "svc"), input: .text("svc-secret"))
    try run.waitUntilError(contains: "?user_code=")
    try place.lab.decideDevices(#"{"decision":"allow"}"#)
    let outcome = try run.wait()
    outcome.expect(0)
  }

  @Test(
    "polling continues while the server or the network fails",
    arguments: [
      #""kind":"drop""#, #""kind":"status","status":500"#, #""kind":"html","status":503"#,
      #""kind":"retry_after","milliseconds":1000"#, #""kind":"truncate""#,
      #""kind":"status","status":428,"body":"{\"error\":\"authorization_pending\"}""#,
    ])
  func failures(fault: String) throws {
    let place = try Workplace()
    try place.lab.fail(#"{"endpoint":"token.device_code","count":1,\#(fault)}"#)
    let run = try place.startDeviceLogin()
    try Waiting.until("the first poll") { try place.lab.count("token.device_code") > 0 }
    try place.lab.decideDevices(#"{"decision":"allow"}"#)
    let outcome = try run.wait()
    outcome.expect(0)
    #expect(try place.stored() != nil)
  }

  @Test("the server goes away while it is polled, until the code has expired: status 5, with the reason")
  func serverGone() throws {
    let place = try Workplace()
    try place.lab.change(#"{"device_lifetime":10}"#)
    let run = try place.startDeviceLogin()
    place.lab.stop()
    let outcome = try run.wait()
    outcome.expect(5, error: "connect")
  }

  @Test("after slow_down the pauses are five seconds longer, permanently")
  func slowDown() throws {
    let place = try Workplace()
    let slow = #""kind":"status","status":400,"body":"{\"error\":\"slow_down\"}""#
    try place.lab.fail(#"{"endpoint":"token.device_code","count":1,\#(slow)}"#)
    let run = try place.startDeviceLogin()
    try Waiting.until("the second poll") { try place.lab.count("token.device_code") == 2 }
    let polls = try place.lab.lastRequests().filter { $0.endpoint == "token.device_code" }.map(\.receivedAt)
    #expect(polls[1] - polls[0] > 5.9)
    run.send(SIGTERM)
    try run.wait()
  }

  @Test("no approval before the code expires, or within --timeout: status 5")
  func expiry() throws {
    let place = try Workplace()
    let timeout = try place.run(place.deviceLogin(["--timeout", "1s"]))
    timeout.expect(5, error: "within 1s")
    try place.lab.change(#"{"device_lifetime":2}"#)
    let expired = try place.run(place.deviceLogin())
    expired.expect(5, error: "code has expired", "log in again")
    #expect(try place.stored() == nil)
  }

  @Test("a signal during the wait ends it at once, nothing is stored", arguments: [SIGINT, SIGTERM, SIGHUP])
  func signal(number: Int32) throws {
    let place = try Workplace()
    let run = try place.startDeviceLogin()
    run.send(number)
    #expect(try run.wait().status == 128 + number)
    #expect(try place.stored() == nil)
    #expect(!FileManager.default.fileExists(atPath: place.file().path))
  }

  @Test("a response of another shape: verification_url, no expiry, an invalid interval, unknown members")
  func sloppy() throws {
    let place = try Workplace()
    let members =
      #"{\"verification_uri\":null,\"verification_uri_complete\":\"javascript:1\",\"interval\":0,"#
      + #"\"verification_url\":\"http://localhost/?user_code=\",\"expires_in\":null,\"x\":[{}]}"#
    try place.lab.change(#"{"device_members":"\#(members)"}"#)
    let run = try place.startDeviceLogin()
    try place.lab.decideDevices(#"{"decision":"allow"}"#)
    let outcome = try run.wait()
    outcome.expect(0)
    #expect(!outcome.error.contains("javascript"))
  }

  @Test("a page that is not a web address: status 6, and it is not shown")
  func hostilePage() throws {
    let place = try Workplace()
    try place.lab.change(#"{"device_members":"{\"verification_uri\":\"file:///etc/passwd\"}"}"#)
    let outcome = try place.run(place.deviceLogin())
    outcome.expect(6)
    #expect(!outcome.error.contains("/etc/passwd"), "\(outcome.error)")
    #expect(try place.lab.count("token") == 0)
  }

  @Test("-q shows the code all the same; --json keeps standard output for the result")
  func quietAndJSON() throws {
    let place = try Workplace()
    let run = try place.startDeviceLogin(["-q", "--json"])
    try place.lab.decideDevices(#"{"decision":"allow"}"#)
    let outcome = try run.wait()
    outcome.expect(0)
    #expect(try outcome.json().string("state") == "valid")
    #expect(!outcome.error.contains("logged in"), "\(outcome.error)")
  }

  @Test("without a display and a stated flow the device flow is chosen, with a message; the code itself is in no trace")
  func chosen() throws {
    let place = try Workplace()
    let run = try place.start(place.browserLogin(["-v"]))
    try run.waitUntilError(contains: "?user_code=")
    #expect(run.errorSoFar.contains("no browser here"), "\(run.errorSoFar)")
    try place.lab.decideDevices(#"{"decision":"allow"}"#)
    let outcome = try run.wait()
    outcome.expect(0)
    #expect(try !String(contentsOf: place.file(), encoding: .utf8).contains("flow"))
    let forms = try place.lab.lastRequests().compactMap(\.form)
    let code = try #require(
      forms.lazy.flatMap { $0.split(separator: "&") }.first { $0.hasPrefix("device_code=") }?.dropFirst(12))
    #expect(!outcome.error.contains(code))
    let again = try place.start(["login", "work"])
    try again.waitUntilError(contains: "?user_code=")
    again.send(SIGTERM)
    try again.wait()
    let stated = try place.start(["login", "work", "--flow", "browser"])
    try stated.waitUntilError(contains: "/authorize?")
    stated.send(SIGTERM)
    try stated.wait()
  }

  @Test(
    "the browser is used on request, where there is one, and where the server supports no other flow",
    arguments: [
      (["--flow", "browser"], [:], "{}"), (["--no-browser"], [:], "{}"),
      ([], ["DISPLAY": ":99", "PATH": "/nowhere"], "{}"), ([], ["BROWSER": "/bin/true"], "{}"),
      (
        [], [:],
        #"{"oauth_discovery_omits":["device_authorization_endpoint"],"openid_discovery_omits":["device_authorization_endpoint"]}"#
      ),
    ] as [([String], [String: String], String)])
  func browser(options: [String], environment: [String: String], settings: String) throws {
    let place = try Workplace()
    try place.lab.change(settings)
    let run = try place.start(place.browserLogin(options), environment: environment.mapValues { $0 })
    try run.waitUntilError(contains: "/authorize?")
    run.send(SIGTERM)
    try run.wait()
    #expect(try place.lab.count("device_authorization") == 0)
  }

  @Test("a profile of endpoints alone, without an issuer")
  func endpoints() throws {
    let place = try Workplace()
    let file = place.file()
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let text = """
      client_id = "cli"
      flow = "device"
      [endpoints]
      device_authorization = "\(place.lab.origin)/device_authorization"
      token = "\(place.lab.origin)/token"
      """
    try Data(text.utf8).write(to: file)
    let run = try place.start(["login", "work", "--flow", "device"])
    try run.waitUntilError(contains: "?user_code=")
    try place.lab.decideDevices(#"{"decision":"allow"}"#)
    #expect(try run.wait().status == 0)
    #expect(try place.lab.count("discovery") == 0)
  }
}
