import Foundation
import TestSupport
import Testing

@Suite("login --discover, end to end")
struct DiscoverTests {
  private func place(_ settings: String = "") throws -> Workplace {
    let place = try Workplace()
    try place.lab.change(#"{"resource_metadata":true\#(settings)}"#)
    return place
  }

  private func login(_ place: Workplace, _ more: [String] = [], url: String? = nil) throws -> Outcome {
    let options = ["--flow", "password", "--username", "alice", "--password-stdin"]
    return try place.run(
      ["login", "work", "--discover", url ?? place.lab.origin + "/api"] + options + more,
      input: .text(Workplace.password))
  }

  private func profile(_ place: Workplace) throws -> String { try String(contentsOf: place.file(), encoding: .utf8) }

  private func nothingWasMade(_ place: Workplace) throws -> Bool {
    try place.stored() == nil && !FileManager.default.fileExists(atPath: place.file().path)
  }

  @Test("the API's own hint leads to its metadata, and that to a profile that works (RFC 9728, section 5)")
  func challenged() throws {
    let place = try place(#","required_scope":"api""#)
    try place.lab.change(#"{"resource_metadata_url":"\#(place.lab.origin)/resource-metadata"}"#)
    let outcome = try login(place, ["--client-id", "cli"])
    try #require(outcome.status == 0, "\(outcome.error)")
    let origin = place.lab.origin
    #expect(
      outcome.error.contains("\(origin)/api accepts tokens of \(origin), according to \(origin)/resource-metadata"))
    #expect(
      try profile(place) == """
        # Created by the first login to work. Edit it freely: it is never rewritten.
        # Found by --discover \(origin)/api at \(origin)/resource-metadata.
        # The scopes of the API: openid profile email api read write offline_access

        issuer = "\(origin)"
        client_id = "cli"
        flow = "password"
        scope = ["api"]
        api = ["\(origin)/api"]
        resource = ["\(origin)/api"]
        username = "alice"

        """)
    let requests = try place.lab.lastRequests()
    #expect(requests.prefix(2).map(\.target) == ["/api", "/resource-metadata"])
    #expect(requests.prefix(2).allSatisfy { $0.header("authorization") == nil })
    #expect(requests.last?.form?.contains("resource=http%3A%2F%2F127.0.0.1") == true)
    #expect(try place.run("call", "me").json().string("sub") == "alice")
  }

  @Test("without a hint, the well-known place; a browser login, the scope left to the server and said to be")
  func wellKnown() throws {
    let place = try place()
    let outcome = try place.run(
      ["login", "work", "--discover", place.lab.origin + "/api", "--client-id", "cli"], environment: place.browser())
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(
      outcome.error.contains("no scope requested, the server decides; available for --scope: openid profile"))
    let targets = try place.lab.lastRequests().map(\.target)
    #expect(targets.prefix(2) == ["/api", "/.well-known/oauth-protected-resource/api"])
    #expect(targets.contains { $0.contains("resource=http%3A%2F%2F127.0.0.1") })
    #expect(try profile(place).contains("\nscope") == false)
    #expect(try place.run("call", "me").status == 0)
  }

  @Test("what is found does not go before what is given")
  func given() throws {
    let place = try place(#","required_scope":"api","resource_members":"{\"dpop_bound_access_tokens_required\":true}""#)
    try place.lab.change(#"{"resource_metadata_url":"\#(place.lab.origin)/resource-metadata"}"#)
    let more = ["--client-id", "cli", "--scope", "read", "--api", place.lab.origin, "--resource", "urn:x"]
    let outcome = try login(place, more)
    #expect(outcome.status == 0, "\(outcome.error)")
    let text = try profile(place)
    for line in ["scope = [\"read\"]", "api = [\"\(place.lab.origin)\"]", "resource = [\"urn:x\"]", "dpop = true"] {
      #expect(text.contains("\n\(line)\n"), "\(line) in \(text)")
    }
    #expect(try place.pair().string("token_type") == "DPoP")
  }

  @Test("without a client_id: status 2, and all that was found is said")
  func clientMissing() throws {
    let place = try place()
    let outcome = try login(place)
    #expect(outcome.status == 2, "\(outcome.error)")
    let origin = place.lab.origin
    #expect(
      outcome.error == """
        authctl: profile work: client_id is missing; found at \(origin)/.well-known/oauth-protected-resource/api: \
        the API accepts tokens of \(origin), its scopes: openid profile email api read write offline_access
          register a client there, then: authctl login work --discover \(origin)/api --client-id ID

        """)
    #expect(try nothingWasMade(place))
    #expect(try place.lab.count("token") == 0)
  }

  @Test("of several authorization servers one is chosen with --issuer; one that is not named is refused: status 2")
  func several() throws {
    let place = try place()
    let servers = #"{\"authorization_servers\":[\"https://other.example\",\"\#(place.lab.origin)\"]}"#
    try place.lab.change(#"{"resource_members":"\#(servers)"}"#)
    let undecided = try login(place, ["--client-id", "cli"])
    #expect(undecided.status == 2)
    #expect(undecided.error.contains("several authorization servers: https://other.example, \(place.lab.origin)"))
    #expect(undecided.error.contains("--issuer https://other.example"))
    let wrong = try login(place, ["--client-id", "cli", "--issuer", "https://third.example"])
    #expect(wrong.status == 2)
    #expect(wrong.error.contains("accepts tokens of another server: https://other.example"), "\(wrong.error)")
    #expect(try nothingWasMade(place))
    #expect(try login(place, ["--client-id", "cli", "--issuer", place.lab.origin]).status == 0)
    #expect(try profile(place).contains("issuer = \"\(place.lab.origin)\""))
  }

  @Test("metadata that names no server: status 6 and the remedy; with --issuer it works")
  func noServer() throws {
    let place = try place(#","resource_members":"{\"authorization_servers\":null}""#)
    let outcome = try login(place, ["--client-id", "cli"])
    #expect(outcome.status == 6, "\(outcome.error)")
    #expect(outcome.error.contains("names no authorization server"))
    #expect(outcome.error.contains("--issuer URL"))
    #expect(try login(place, ["--client-id", "cli", "--issuer", place.lab.origin]).status == 0)
  }

  @Test(
    "metadata that is absent, of another resource, insecure, or no JSON: status 6, and what was tried is said",
    arguments: [
      (#"{"resource_metadata":false}"#, "returned 404"),
      (#"{"resource_members":"{\"resource\":\"https://evil.example/api\"}"}"#, "is for resource"),
      (#"{"resource_members":"{\"authorization_servers\":[\"http://id.example\"]}"}"#, "plain http"),
      (#"{"resource_metadata_url":"http://evil.example/x","resource_metadata":false}"#, "plain http"),
    ])
  func unusable(settings: String, word: String) throws {
    let place = try place()
    try place.lab.change(settings)
    let outcome = try login(place, ["--client-id", "cli"])
    #expect(outcome.status == 6, "\(outcome.error)")
    #expect(outcome.error.contains(word), "\(outcome.error)")
    #expect(outcome.error.contains("oauth-protected-resource/api"), "\(outcome.error)")
    #expect(outcome.error.contains("--issuer URL --api \(place.lab.origin)/api"), "\(outcome.error)")
    #expect(try nothingWasMade(place))
    try place.lab.change(#"{"resource_metadata":true,"resource_members":"{}"}"#)
    try place.lab.fail(#"{"endpoint":"resource_metadata","kind":"html"}"#)
    #expect(try login(place, ["--client-id", "cli"]).error.contains("oauth-protected-resource/api is not JSON"))
  }

  @Test("an address below the API's own leads to the API, whose address the profile has")
  func below() throws {
    let place = try place(#","resource_path":"""#)
    try place.lab.change(#"{"resource_metadata_url":"\#(place.lab.origin)/resource-metadata"}"#)
    let works = try login(place, ["--client-id", "cli"])
    #expect(works.status == 0, "\(works.error)")
    let other = try self.place()
    try other.lab.change(#"{"resource_metadata_url":"\#(other.lab.origin)/resource-metadata"}"#)
    let outcome = try login(other, ["--client-id", "cli"], url: other.lab.origin + "/api/me")
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(try profile(other).contains("api = [\"\(other.lab.origin)/api\"]"))
    #expect(try other.run("call", "me").status == 0)
  }

  @Test("an API that can't be reached, or fails for now: status 5")
  func unreachable() throws {
    let place = try place()
    let port = try FreePort.find()
    #expect(try login(place, ["--client-id", "cli"], url: "http://127.0.0.1:\(port)/api").status == 5)
    try place.lab.fail(#"{"endpoint":"resource_metadata","kind":"status","status":503}"#)
    #expect(try login(place, ["--client-id", "cli"]).status == 5)
    #expect(try nothingWasMade(place))
  }

  @Test("a command line that can't be meant: status 2, and nothing is sent")
  func usage() throws {
    let place = try place()
    try place.makeProfile("old")
    let url = place.lab.origin + "/api"
    for (arguments, word) in [
      (["old", "--discover", url], "profile old already exists"),
      (["--discover", url], "settings need a profile name"),
      (["work", "--discover", "http://api.example/v1"], "plain http"),
      (["work", "--discover", "api.example"], "no scheme"),
      (["work", "--discover", url, "--type", "basic"], "type oauth2 only"),
    ] {
      let outcome = try place.run(["login"] + arguments + ["--non-interactive"])
      #expect(outcome.status == 2, "\(arguments): \(outcome.error)")
      #expect(outcome.error.contains(word), "\(arguments): \(outcome.error)")
    }
    #expect(try place.lab.lastRequests().isEmpty)
  }

  @Test("call tells of --discover where an API that is asked without a token says that it has metadata")
  func toldByChallenge() throws {
    let place = try place()
    let url = place.lab.origin + "/api/me"
    #expect(try place.run("call", "--no-auth", url).error.contains("--discover") == false)
    try place.lab.change(#"{"resource_metadata_url":"\#(place.lab.origin)/resource-metadata"}"#)
    let outcome = try place.run("call", "--no-auth", url)
    #expect(outcome.status == 22)
    #expect(outcome.error.contains("authctl login NAME --discover \(url) --client-id ID\n"), "\(outcome.error)")
  }

  @Test("call tells of --discover where no profile has the origin, and asks nobody")
  func told() throws {
    let place = try place()
    let outcome = try place.run("call", place.lab.origin + "/api/me")
    #expect(outcome.status == 7)
    #expect(
      outcome.error.contains("authctl login NAME --discover \(place.lab.origin)/api/me --client-id ID"),
      "\(outcome.error)")
    #expect(try place.lab.lastRequests().isEmpty)
  }
}
