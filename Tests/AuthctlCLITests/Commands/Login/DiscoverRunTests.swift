import Foundation
import TestSupport
import Testing

@Suite("DiscoverRun") struct DiscoverRunTests {
  private func place(_ settings: String = "") async throws -> Workplace {
    let place = try Workplace()
    try await place.lab.change(#"{"resource_metadata":true\#(settings)}"#)
    return place
  }

  private func login(_ place: Workplace, _ more: [String] = [], url: String? = nil) async throws -> Outcome {
    let options = ["--flow", "password", "--username", "alice", "--password-stdin"]
    return try await place.run(
      ["login", "work", "--discover", url ?? place.lab.origin + "/api"] + options + more,
      input: .text(Workplace.password))
  }

  private func profile(_ place: Workplace) throws -> String { try String(contentsOf: place.file(), encoding: .utf8) }

  private func nothingWasMade(_ place: Workplace) throws -> Bool {
    try place.stored() == nil && !FileManager.default.fileExists(atPath: place.file().path)
  }

  @Test("a found value does not override a given one")
  func given() async throws {
    let place = try await place(
      #","required_scope":"api","resource_members":"{\"dpop_bound_access_tokens_required\":true}""#)
    try await place.lab.change(#"{"resource_metadata_url":"\#(place.lab.origin)/resource-metadata"}"#)
    let more = ["--client-id", "cli", "--scope", "read", "--api", place.lab.origin, "--resource", "urn:x"]
    let outcome = try await login(place, more)
    #expect(outcome.status == 0, "\(outcome.error)")
    let text = try profile(place)
    for line in ["scope = [\"read\"]", "api = [\"\(place.lab.origin)\"]", "resource = [\"urn:x\"]", "dpop = true"] {
      #expect(text.contains("\n\(line)\n"), "\(line) in \(text)")
    }
    #expect(try place.pair().string("token_type") == "DPoP")
  }

  @Test("without a client_id: status 2, and the message lists all that was found")
  func clientMissing() async throws {
    let place = try await place()
    let outcome = try await login(place)
    #expect(outcome.status == 2, "\(outcome.error)")
    let origin = place.lab.origin
    #expect(
      outcome.error == """
        authctl: profile work: client_id is missing; found at \(origin)/.well-known/oauth-protected-resource/api: \
        the API accepts tokens of \(origin), its scopes: openid profile email api read write offline_access
          register a client there, then: authctl login work --discover \(origin)/api --client-id ID

        """)
    #expect(try nothingWasMade(place))
    #expect(try await place.lab.count("token") == 0)
  }

  @Test("of several authorization servers one is chosen with --issuer; one that is not named is refused: status 2")
  func several() async throws {
    let place = try await place()
    let servers = #"{\"authorization_servers\":[\"https://other.example\",\"\#(place.lab.origin)\"]}"#
    try await place.lab.change(#"{"resource_members":"\#(servers)"}"#)
    let undecided = try await login(place, ["--client-id", "cli"])
    #expect(undecided.status == 2)
    #expect(undecided.error.contains("several authorization servers: https://other.example, \(place.lab.origin)"))
    #expect(undecided.error.contains("--issuer https://other.example"))
    let wrong = try await login(place, ["--client-id", "cli", "--issuer", "https://third.example"])
    #expect(wrong.status == 2)
    #expect(wrong.error.contains("accepts tokens of another server: https://other.example"), "\(wrong.error)")
    #expect(try nothingWasMade(place))
    #expect(try await login(place, ["--client-id", "cli", "--issuer", place.lab.origin]).status == 0)
    #expect(try profile(place).contains("issuer = \"\(place.lab.origin)\""))
  }

  @Test("metadata that names no server: status 6 and the remedy; with --issuer it works")
  func noServer() async throws {
    let place = try await place(#","resource_members":"{\"authorization_servers\":null}""#)
    let outcome = try await login(place, ["--client-id", "cli"])
    #expect(outcome.status == 6, "\(outcome.error)")
    #expect(outcome.error.contains("names no authorization server"))
    #expect(outcome.error.contains("--issuer URL"))
    #expect(try await login(place, ["--client-id", "cli", "--issuer", place.lab.origin]).status == 0)
  }

  @Test(
    "metadata that is absent, of another resource, insecure, or not JSON: status 6, with a list of what was tried",
    arguments: [
      (#"{"resource_metadata":false}"#, "returned 404"),
      (#"{"resource_members":"{\"resource\":\"https://evil.example/api\"}"}"#, "is for resource"),
      (#"{"resource_members":"{\"authorization_servers\":[\"http://id.example\"]}"}"#, "plain http"),
      (#"{"resource_metadata_url":"http://evil.example/x","resource_metadata":false}"#, "plain http"),
    ])
  func unusable(settings: String, word: String) async throws {
    let place = try await place()
    try await place.lab.change(settings)
    let outcome = try await login(place, ["--client-id", "cli"])
    #expect(outcome.status == 6, "\(outcome.error)")
    #expect(outcome.error.contains(word), "\(outcome.error)")
    #expect(outcome.error.contains("oauth-protected-resource/api"), "\(outcome.error)")
    #expect(outcome.error.contains("--issuer URL --api \(place.lab.origin)/api"), "\(outcome.error)")
    #expect(try nothingWasMade(place))
    try await place.lab.change(#"{"resource_metadata":true,"resource_members":"{}"}"#)
    try await place.lab.fail(#"{"endpoint":"resource_metadata","kind":"html"}"#)
    #expect(try await login(place, ["--client-id", "cli"]).error.contains("oauth-protected-resource/api is not JSON"))
  }

  @Test("an address below the API's own leads to the API, whose address the profile has")
  func below() async throws {
    let place = try await place(#","resource_path":"""#)
    try await place.lab.change(#"{"resource_metadata_url":"\#(place.lab.origin)/resource-metadata"}"#)
    let works = try await login(place, ["--client-id", "cli"])
    #expect(works.status == 0, "\(works.error)")
    let other = try await self.place()
    try await other.lab.change(#"{"resource_metadata_url":"\#(other.lab.origin)/resource-metadata"}"#)
    let outcome = try await login(other, ["--client-id", "cli"], url: other.lab.origin + "/api/me")
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(try profile(other).contains("api = [\"\(other.lab.origin)/api\"]"))
    #expect(try await other.run("call", "me").status == 0)
  }

  @Test("an API that can't be reached, or fails for now: status 5")
  func unreachable() async throws {
    let place = try await place()
    let port = 1
    #expect(try await login(place, ["--client-id", "cli"], url: "http://127.0.0.1:\(port)/api").status == 5)
    try await place.lab.fail(#"{"endpoint":"resource_metadata","kind":"status","status":503}"#)
    #expect(try await login(place, ["--client-id", "cli"]).status == 5)
    #expect(try nothingWasMade(place))
  }

  @Test("a command line that can't be meant: status 2, and nothing is sent")
  func usage() async throws {
    let place = try await place()
    try place.makeProfile("old")
    let url = place.lab.origin + "/api"
    for (arguments, word) in [
      (["old", "--discover", url], "profile old already exists"),
      (["--discover", url], "settings need a profile name"),
      (["work", "--discover", "http://api.example/v1"], "plain http"),
      (["work", "--discover", "api.example"], "no scheme"),
      (["work", "--discover", url, "--type", "basic"], "type oauth2 only"),
    ] {
      let outcome = try await place.run(["login"] + arguments + ["--non-interactive"])
      #expect(outcome.status == 2, "\(arguments): \(outcome.error)")
      #expect(outcome.error.contains(word), "\(arguments): \(outcome.error)")
    }
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  @Test("call suggests --discover if an API that is called without a token names its metadata")
  func toldByChallenge() async throws {
    let place = try await place()
    let url = place.lab.origin + "/api/me"
    #expect(try await place.run("call", "--no-auth", url).error.contains("--discover") == false)
    try await place.lab.change(#"{"resource_metadata_url":"\#(place.lab.origin)/resource-metadata"}"#)
    let outcome = try await place.run("call", "--no-auth", url)
    #expect(outcome.status == 22)
    #expect(outcome.error.contains("authctl login NAME --discover \(url) --client-id ID\n"), "\(outcome.error)")
  }

  @Test("call suggests --discover if no profile has the origin, and sends nothing")
  func told() async throws {
    let place = try await place()
    let outcome = try await place.run("call", place.lab.origin + "/api/me")
    #expect(outcome.status == 7)
    #expect(
      outcome.error.contains("authctl login NAME --discover \(place.lab.origin)/api/me --client-id ID"),
      "\(outcome.error)")
    #expect(try await place.lab.lastRequests().isEmpty)
  }
}
