import Foundation
import TestSupport
import Testing

@Suite("no secret is shown, end to end")
struct SecrecyTests {
  /// All that is a secret in a form that was sent, decoded and as it was.
  func secrets(in form: String) -> [String] {
    let names = ["code", "code_verifier", "password", "client_secret", "refresh_token", "token"]
    return form.split(separator: "&").flatMap { field -> [String] in
      let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, names.contains(parts[0]) else { return [] }
      return [parts[1], parts[1].removingPercentEncoding ?? parts[1]]
    }
  }

  func expectSecrecy(_ place: Workplace, _ outcomes: [Outcome], _ more: [String] = []) throws {
    var all = more
    for request in try place.lab.lastRequests() {
      all += secrets(in: request.form ?? "")
      let words = request.header("authorization")?.split(separator: " ").map(String.init) ?? []
      all += words.dropFirst()
    }
    all = Set(all).filter { $0.count > 3 }.sorted()
    #expect(all.count >= 4)
    for outcome in outcomes {
      for secret in all {
        #expect(!outcome.error.contains(secret), "\(outcome.error)")
        #expect(!outcome.text.contains(secret))
      }
    }
  }

  @Test("the trace of a browser login, calls, a replay, a refresh and a logout has many lines and no secret")
  func trace() throws {
    let place = try Workplace()
    var outcomes = [try place.run(place.browserLogin(["-v"]), environment: place.browser())]
    outcomes.append(try place.run("call", "-v", "me"))
    try place.lab.expireAccessTokens()
    outcomes.append(try place.run("call", "-v", "-d", "a=b", "echo/x?access_token=query-secret"))
    #expect(outcomes[2].error.contains("to replay the request"), "\(outcomes[2].error)")
    outcomes[2] = Outcome(status: outcomes[2].status, output: Data(), error: outcomes[2].error, seconds: 0)
    outcomes.append(try place.run("refresh", "-v", "work"))
    outcomes.append(try place.run("status", "-v"))
    outcomes.append(try place.run("logout", "-v", "work"))
    #expect(outcomes.map(\.status) == [0, 0, 0, 0, 0, 0], "\(outcomes.map(\.error))")
    #expect(outcomes[1].error.contains("Authorization: Bearer ‹redacted"), "\(outcomes[1].error)")
    try expectSecrecy(place, outcomes, ["query-secret"])
  }

  @Test("the trace of logins with a password and with a client's secret, right and wrong")
  func logins() throws {
    let place = try Workplace()
    try place.makeProfile()
    let odd = "conf secret/+%&=é"
    var outcomes: [Outcome] = []
    outcomes.append(try place.run(["login", "work", "-v", "--password-stdin"], input: .text(Workplace.password)))
    outcomes.append(try place.run(["login", "work", "-v", "--password-stdin"], input: .text("wrong-password")))
    for encoding in ["form", "percent", "raw"] {
      let options = [
        "--issuer", place.lab.origin, "--client-id", "odd", "--api", place.lab.origin, "--basic-encoding", encoding,
      ]
      outcomes.append(
        try place.run(
          ["login", encoding, "-v", "--flow", "client-credentials", "--client-secret-stdin"] + options,
          input: .text(odd)))
    }
    let post = [
      "--client-authentication", "client_secret_post", "--issuer", place.lab.origin, "--client-id", "odd", "--api",
      place.lab.origin,
    ]
    outcomes.append(
      try place.run(
        ["login", "post", "-v", "--flow", "client-credentials", "--client-secret-stdin"] + post, input: .text(odd)))
    #expect(outcomes.map(\.status) == [0, 6, 0, 0, 0, 0], "\(outcomes.map(\.error))")
    try expectSecrecy(place, outcomes, [odd, "wrong-password"])
  }

  @Test("the trace of a token in a header of another name")
  func otherHeader() throws {
    let header = "[header]\nname = \"X-Custom\"\nprefix = \"Token\"\n"
    let place = try Workplace.loggedIn("api = [\"http://127.0.0.1:1\"]", tables: header)
    try place.makeProfile("work", "api = [\"\(place.lab.origin)/open\"]", tables: header)
    let token = try #require(try place.pair().string("access_token"))
    let outcome = try place.run("call", "-v", "-o", "/dev/null", "echo")
    outcome.expect(0, error: "X-Custom")
    #expect(!outcome.error.contains(token))
  }

  @Test("the arguments of a running call, which all can read, hold no secret")
  func arguments() throws {
    let place = try Workplace.loggedIn()
    let pair = try place.pair()
    let run = try place.start(["call", "slow?ms=600000"])
    try Waiting.until("the request") { try place.lab.count("api") == 1 }
    #expect(run.commandLine.contains("slow?ms=600000"))
    for key in ["access_token", "refresh_token"] { #expect(!run.commandLine.contains(try #require(pair.string(key)))) }
    run.send(SIGTERM)
    #expect(try run.wait().status == 128 + SIGTERM)
  }
}
