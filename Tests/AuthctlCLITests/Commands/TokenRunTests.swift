import AuthCore
import Foundation
import TestSupport
import Testing

@Suite("TokenRun") struct TokenRunTests {
  @Test("token of a profile that is logged out prints nothing: status 3")
  func noToken() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let outcome = try await place.run("token")
    #expect(outcome.status == 3)
    #expect(outcome.text.isEmpty)
  }

  @Test("the token alone goes to standard output, or the header line with --header")
  func output() async throws {
    let place = try await Workplace.loggedIn()
    let token = try #require(try place.pair().string("access_token"))
    let plain = try await place.run("token")
    #expect(plain.status == 0 && plain.text == token + "\n" && plain.error.isEmpty)
    #expect(try await place.run("token", "--header").text == "Authorization: Bearer \(token)\n")
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  @Test("a token with too little validity left is refreshed")
  func minValidity() async throws {
    let place = try await Workplace.loggedIn()
    let old = try place.pair().string("access_token")
    place.clocks.pass(301)
    let outcome = try await place.run("token", "--min-validity", "5m")
    let new = try #require(try place.pair().string("access_token"))
    #expect(outcome.text == new + "\n" && new != old)
    #expect(try await place.lab.count("token.refresh_token.ok") == 1)
  }

  @Test(
    "a keyring that fails: status 4 and no output",
    arguments: [StorageFault.noBus, .noService, .locked, .timedOut, .refused, .promptDismissed])
  func keyring(fault: StorageFault) async throws {
    let place = try Workplace(.failing(fault))
    try place.makeProfile()
    let outcome = try await place.run("token")
    #expect(outcome.status == 4 && outcome.output.isEmpty)
    #expect(outcome.error.contains("it is \(fault.rawValue)"), "\(outcome.error)")
  }

  @Test(
    "a keyring without a collection: not logged in, which is no failure of the keyring",
    arguments: [
      (["token"], 3), (["call", "me"], 3), (["refresh", "work"], 3), (["status"], 0), (["logout"], 0),
      (["refresh", "--all"], 0), (["profile", "remove", "work"], 0),
    ] as [([String], Int32)])
  func noCollection(command: [String], status: Int32) async throws {
    let place = try Workplace(.failing(.noCollection))
    try place.makeProfile()
    let outcome = try await place.run(command)
    #expect(outcome.status == status, "\(outcome.text)\(outcome.error)")
    let said = outcome.text + outcome.error
    #expect(said.contains(/logged.out|not logged in|nothing|removed/) && !said.contains("no_collection"), "\(said)")
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  @Test("a keyring without a collection: a login that may not prompt ends with 4, and sends nothing")
  func noCollectionLogin() async throws {
    let place = try Workplace(.failing(.noCollection))
    try place.makeProfile()
    let outcome = try await place.run(["login", "work", "--password-stdin"], input: .text(Workplace.password))
    outcome.expect(4, error: "it is no_collection")
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  @Test("--format: the token and its expiry in the forms of json, kubectl, a shell, and header fields")
  func formats() async throws {
    let place = try await Workplace.loggedIn()
    let pair = try place.pair()
    let (token, expiry) = (try #require(pair.string("access_token")), try #require(pair.string("expires_at")))
    let json = try await place.run("token", "--format", "json").json()
    #expect(json.keys == ["access_token", "expires_at", "fingerprint", "profile", "token_type"])
    #expect(json.string("access_token") == token && json.string("expires_at") == expiry)
    #expect(json.string("fingerprint") == Secret(token).fingerprint && json.string("profile") == "work")
    for (asked, version) in [
      (nil, "v1"), (#"{"apiVersion":"client.authentication.k8s.io/v1beta1"}"#, "v1beta1"),
      (#"{"apiVersion":"client.authentication.k8s.io/v9"}"#, "v1"), ("no JSON", "v1"),
    ] {
      let answer = try await place.run("token", "--format", "kubectl", environment: ["KUBERNETES_EXEC_INFO": asked])
        .json()
      #expect(answer.string("apiVersion") == "client.authentication.k8s.io/\(version)")
      #expect(answer.string("kind") == "ExecCredential")
      let status = try answer.object("status")
      #expect(status.string("token") == token && status.string("expirationTimestamp") == expiry)
    }
    #expect(
      try await place.run("token", "--format", "env").text
        == "export AUTHCTL_TOKEN=\(token)\nexport AUTHCTL_TOKEN_EXPIRES_AT=\(ShellWord.quoted(expiry))\n")
    #expect(
      try await place.run("token", "--format", "headers").text == #"{"Authorization":"Bearer \#(token)"}"# + "\n")
    try await place.run("token", "--format", "headers", "--header").expect(2, error: "can't be combined with --format")
    try await place.run("token", "--format", "xml").expect(2, error: "xml")
  }

  @Test("a URL selects the profile, as for a call; another origin gets no token")
  func address() async throws {
    let place = try await Workplace.loggedIn()
    try place.makeProfile("other", "api = [\"https://other.example/v1\"]")
    let token = try #require(try place.pair().string("access_token"))
    #expect(try await place.run("token", place.lab.origin + "/api/x?y").text == token + "\n")
    try await place.run("token", "https://other.example/").expect(3, error: "other")
    #expect(try await place.run("token", "https://third.example/").status == 7)
    #expect(try await place.run("token", "-p", "work", "https://other.example/").status == 7)
    #expect(try await place.run("token", "https://").status == 2)
  }

  @Test("a refused token is exchanged once, by fingerprint or by itself; another one is not")
  func refused() async throws {
    let place = try await Workplace.loggedIn()
    let first = try #require(try place.pair().string("access_token"))
    let other = try await place.run("token", "--refused", "01234567")
    #expect(other.text == first + "\n")
    #expect(try await place.lab.count("token") == 0)
    let second = try await place.run("token", "--refused", Secret(first).fingerprint).text
    #expect(second != first + "\n")
    for input in [first, first + "\r\n"] {
      #expect(try await place.run(["token", "--refused", "-"], input: .text(input)).text == second)
    }
    #expect(try await place.lab.count("token.refresh_token.ok") == 1)
    // Its own successor, within a minute: a refresh does not help.
    let again = try await place.run(["token", "--refused", "-"], input: .text(second))
    #expect(again.text == second && again.error.contains("right after its refresh"), "\(again.error)")
    #expect(try await place.run("token", "--refused", "-").status == 2)
    try await place.run("token", "--refused", "0123456g").expect(2, error: "it is not a fingerprint")
    #expect(try await place.lab.count("token.refresh_token.ok") == 1)
    place.clocks.pass(301)
    let third = try await place.run(["token", "--refused", "-"], input: .text(second))
    #expect(third.text != second && third.error.isEmpty, "\(third.error)")
  }

  @Test("a refused token is not offered again if its refresh is refused for good: 3")
  func refusedForGood() async throws {
    let place = try await Workplace.loggedIn()
    let token = try #require(try place.pair().string("access_token"))
    try await place.lab.revokeAll()
    for _ in 0..<2 { #expect(try await place.run(["token", "--refused", "-"], input: .text(token)).status == 3) }
    let later = try await place.run("token")
    #expect(later.status == 3 && later.text.isEmpty)
  }
}
