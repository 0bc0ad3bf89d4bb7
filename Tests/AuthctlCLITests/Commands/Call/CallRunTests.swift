import Foundation
import TestSupport
import Testing

@Suite("CallRun") struct CallRunTests {
  /// What the API was sent by a call of `echo`.
  func echo(_ place: Workplace, _ arguments: [String], input: ProgramInput = .nothing) async throws -> JSONObject {
    let outcome = try await place.run(["call"] + arguments, input: input)
    try #require(outcome.status == 0, "\(outcome.error)")
    return try outcome.json()
  }

  @Test("a path with and without slash, and the whole address, are the same")
  func addresses() async throws {
    let place = try await Workplace.loggedIn()
    for address in ["echo/a?b=c%20d", "/echo/a?b=c%20d", place.lab.origin + "/api/echo/a?b=c%20d"] {
      #expect(try await echo(place, [address]).string("target") == "/api/echo/a?b=c%20d")
    }
  }

  @Test("-X, -H and the forms of data are sent as curl sends them")
  func requests() async throws {
    let place = try await Workplace.loggedIn()
    let file = place.folder.appending(path: "data")
    try Data("one\r\ntwo\n".utf8).write(to: file)
    let put = try await echo(
      place, ["-X", "PUT", "-H", "X-One: 1", "-H", "Accept: text/plain", "-H", "User-Agent:", "echo"])
    #expect(put.string("method") == "PUT")
    #expect(put.header("X-One") == "1")
    #expect(put.header("Accept") == "text/plain")
    #expect(put.header("User-Agent") == nil)
    let form = try await echo(place, ["-d", "a=1", "-d", "b=2", "echo"])
    #expect(form.string("method") == "POST")
    #expect(form.string("body") == "a=1&b=2")
    #expect(form.header("Content-Type") == "application/x-www-form-urlencoded")
    #expect(try await echo(place, ["-d", "@\(file.path)", "echo"]).string("body") == "onetwo")
    #expect(try await echo(place, ["-d", "@-", "echo"], input: .text("from\nthere")).string("body") == "fromthere")
    #expect(try await echo(place, ["--data-raw", "@x", "echo"]).string("body") == "@x")
    #expect(try await echo(place, ["--data-binary", "@\(file.path)", "echo"]).string("body") == "one\r\ntwo\n")
    let json = try await echo(place, ["--json", #"{"a":1}"#, "echo"])
    #expect(json.string("body") == #"{"a":1}"#)
    #expect(json.header("Content-Type") == "application/json")
    #expect(json.header("Accept") == "application/json")
    #expect(try await echo(place, ["echo", "-XPATCH", "--json={}"]).string("method") == "PATCH")
  }

  @Test(
    "-H for the profile's token header is refused: status 2, nothing sent",
    arguments: ["Authorization: x", "authorization: Bearer y"])
  func tokenHeader(line: String) async throws {
    let place = try await Workplace.loggedIn()
    let outcome = try await place.run("call", "-H", line, "echo")
    outcome.expect(2, error: "--no-auth")
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  @Test("--no-auth sends without the token, and any -H goes")
  func noAuth() async throws {
    let place = try await Workplace.loggedIn()
    let outcome = try await place.run(
      "call", "--no-auth", "-H", "Authorization: Basic abc", place.lab.origin + "/open/echo")
    #expect(try outcome.json().header("Authorization") == "Basic abc")
    #expect(
      try await place.run("call", "--no-auth", place.lab.origin + "/open/echo").json().header("Authorization") == nil)
  }

  @Test("AUTHCTL_ACCESS_TOKEN is used as it is, for the URL's own origin, without keyring or profile")
  func givenToken() async throws {
    let place = try Workplace(.none)
    let token: [String: String?] = ["AUTHCTL_ACCESS_TOKEN": "given-token"]
    let outcome = try await place.run("call", place.lab.origin + "/open/echo", environment: token)
    outcome.expect(0)
    #expect(try outcome.json().header("Authorization") == "Bearer given-token")
    let refused = try await place.run("call", place.lab.origin + "/api/me", environment: token)
    #expect(refused.status == 22)
    #expect(refused.text.contains("invalid_token"))
    let other = try place.otherLab()
    let hop = "\(place.lab.origin)/open/redirect?to=\(other.origin)/open/echo"
    #expect(try await place.run("call", "-L", hop, environment: token).json().header("Authorization") == nil)
  }

  @Test("in a batch without a profile, AUTHCTL_ACCESS_TOKEN goes to the origin of the first line only: status 7")
  func givenTokenOfBatch() async throws {
    let place = try Workplace(.none)
    let other = try place.otherLab()
    let (own, foreign) = (place.lab.origin + "/open/echo", other.origin + "/open/echo")
    let outcome = try await place.run(
      ["call", "--batch", "-"], input: .text("# both\n\n{}\n\(own)\n\(foreign)\n\(own)?x\n"),
      environment: ["AUTHCTL_ACCESS_TOKEN": "given-token"])
    outcome.expect(2)
    let rows = try outcome.text.split(separator: "\n").map { try JSONObject(Data($0.utf8)) }
    #expect(rows.map { $0.integer("status") } == [nil, 200, nil, 200], "\(outcome.text)")
    let error = try rows[2].object("error")
    #expect(error.integer("exit") == 7 && error.string("message")?.contains("the first line") == true)
    #expect(try await other.lastRequests().isEmpty)
  }

  @Test(
    "AUTHCTL_ACCESS_TOKEN and a path, without one profile to choose: the whole URL is asked for", arguments: [0, 2])
  func givenTokenAndPath(profiles: Int) async throws {
    let place = try Workplace(.none)
    for name in ["work", "zoo"].prefix(profiles) { try place.makeProfile(name) }
    let token: [String: String?] = ["AUTHCTL_ACCESS_TOKEN": "given-token"]
    let outcome = try await place.run("call", "open/echo", environment: token)
    #expect(outcome.status == 2)
    #expect(
      outcome.error == """
        authctl: open/echo: it has no scheme, and AUTHCTL_ACCESS_TOKEN no profile's api
          give the whole URL, or name a profile with --profile NAME

        """)
    guard profiles > 0 else { return }
    let named = try await place.run("call", "-p", "work", "echo", environment: token)
    #expect(named.status == 22 && named.text.contains("invalid_token"), "\(named.error)")
  }

  @Test("with a named profile, AUTHCTL_ACCESS_TOKEN goes to that profile's origins only, in a batch too: status 7")
  func givenTokenOfProfile() async throws {
    let place = try Workplace(.none)
    try place.makeProfile()
    let other = try place.otherLab()
    let token: [String: String?] = ["AUTHCTL_ACCESS_TOKEN": "given-token"]
    let named: [String: String?] = ["AUTHCTL_ACCESS_TOKEN": "given-token", "AUTHCTL_PROFILE": "work"]
    let own = place.lab.origin + "/open/echo"
    let foreign = other.origin + "/open/echo"
    #expect(try await place.run("call", "-p", "work", own, environment: token).json().header("Authorization") != nil)
    for (arguments, environment) in [(["-p", "work", foreign], token), ([foreign], named)] {
      let outcome = try await place.run(["call"] + arguments, environment: environment)
      #expect(outcome.status == 7 && outcome.output.isEmpty, "\(outcome.error)")
      #expect(outcome.error.contains("is not among the api of profile work"), "\(outcome.error)")
    }
    let batch = try await place.run(
      ["call", "-p", "work", "--batch", "-"], input: .text(own + "\n" + foreign + "\n"), environment: token)
    batch.expect(7)
    #expect(batch.text.contains("Bearer given-token"))
    #expect(try await other.lastRequests().isEmpty)
    #expect(try await place.run("call", foreign, environment: token).status == 0)
  }

  @Test("-s does not silence authctl's own refusals, each of one line: login required, keyring, origin, usage")
  func silentRefusals() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let closed = try Workplace(.none)
    try closed.makeProfile()
    for (place, arguments, status, words) in [
      (place, ["me"], 3, "authctl login work"), (closed, ["me"], 4, "authctl: "),
      (place, ["https://elsewhere.example/"], 7, "elsewhere.example"),
      (place, ["-p", "none", "me"], 2, "no such profile"),
    ] as [(Workplace, [String], Int32, String)] {
      let outcome = try await place.run(["call", "-s"] + arguments)
      #expect(outcome.status == status, "\(outcome.error)")
      #expect(outcome.error.contains(words), "\(outcome.error)")
      #expect(outcome.error.split(separator: "\n").count == 1, "\(outcome.error)")
    }
    let unreachable = try await place.run("call", "-s", "--no-auth", "http://127.0.0.1:1/")
    #expect(unreachable.status == 5 && unreachable.error.isEmpty, "\(unreachable.error)")
  }

  @Test("-o, -i, --no-fail, -s and -S: output, messages and status")
  func outputs() async throws {
    let place = try await Workplace.loggedIn()
    let file = place.folder.appending(path: "out")
    let written = try await place.run("call", "-o", file.path, "me")
    #expect(written.status == 0 && written.output.isEmpty)
    #expect(try JSONObject(Data(contentsOf: file)).string("sub") == "alice")
    let included = try await place.run("call", "-i", "me").text
    #expect(included.hasPrefix("HTTP/1.1 200"))
    #expect(included.contains("\r\n\r\n{"))
    let failed = try await place.run("call", "status/404")
    #expect(failed.status == 22)
    #expect(failed.text.contains("status_404"))
    #expect(failed.error.hasPrefix("authctl: ") && failed.error.contains("404"))
    let noFail = try await place.run("call", "--no-fail", "status/500")
    #expect(noFail.status == 0 && noFail.error.isEmpty && noFail.text.contains("status_500"))
    let silent = try await place.run("call", "-s", "status/503")
    #expect(silent.status == 22 && silent.error.isEmpty && silent.text.contains("status_503"))
    #expect(try await place.run("call", "-sS", "status/503").error.contains("503"))
    #expect(try await place.run("call", "status/204").output.isEmpty)
  }

  @Test(
    "the option for a response of 400 or more is given only once: status 2",
    arguments: [["-f", "--no-fail"], ["-f", "--fail-with-body"], ["--fail-with-body", "--no-fail"]])
  func failures(options: [String]) async throws {
    let outcome = try await Workplace(.none).run(["call", "--no-auth"] + options + ["http://127.0.0.1:9/"])
    outcome.expect(2, error: "use one of --fail")
  }

  @Test(
    "an option's value that means nothing, or options that contradict each other: status 2, and nothing is sent",
    arguments: [
      ["-r", "-"], ["-r", ","], ["-r", "0-1,-"], ["-D", ""], ["-o", ""], ["-u", "alice", "--no-auth"],
      ["-F", "a=b;type=text/x\r\nX-Evil: 1"],
    ])
  func nonsense(options: [String]) async throws {
    let place = try await Workplace.loggedIn()
    let outcome = try await place.run(["call"] + options + [place.lab.origin + "/api/echo"])
    outcome.expect(2)
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  @Test("a POST that fails transiently is not sent again, and --retry says why")
  func heldBackByMethod() async throws {
    let place = try await Workplace.loggedIn()
    let post = try await place.run("call", "--retry", "2", "--retry-delay", "1", "-d", "a=b", "status/503")
    post.expect(22, error: "--retry-unsafe")
    #expect(try await !place.run("call", "--retry", "2", "-d", "a=b", "status/404").error.contains("--retry-unsafe"))
    #expect(try await !place.run("call", "--retry", "1", "--retry-delay", "1", "status/503").error.contains("unsafe"))
  }

  @Test("a token of another header and prefix")
  func otherHeader() async throws {
    let place = try await Workplace.loggedIn("", tables: "[header]\nname = \"X-Api-Key\"\nprefix = \"\"\n")
    let token = try #require(try place.pair().string("access_token"))
    try place.makeProfile(
      "work", "api = [\"\(place.lab.origin)/open\"]", tables: "[header]\nname = \"X-Api-Key\"\nprefix = \"\"\n")
    let seen = try await echo(place, ["-H", "Authorization: mine", "echo"])
    #expect(seen.header("X-Api-Key") == token)
    #expect(seen.header("Authorization") == "mine")
    #expect(try await place.run("call", "-H", "x-api-key: y", "echo").status == 2)
    #expect(try await place.run("token", "--header").text == "X-Api-Key: \(token)\n")
  }
}
