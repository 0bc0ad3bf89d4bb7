import Foundation
import TestSupport
import Testing

@Suite("--trace, end to end")
struct TraceFileTests {
  /// What the checker of HAR reports about an entry.
  private struct Entry: Decodable {
    let method: String
    let url: String
    let status: Int
    let reason: String
    let comment: String
    let time: Double
    let process: Int
    let background: Bool
    let role: String
    let error: String?

    /// The method, the last part of the path, and the status.
    var outline: String { "\(method) \(url.split(separator: "?")[0].split(separator: "/").last ?? "") \(status)" }
  }

  private func path(_ place: Workplace, _ name: String) -> String { place.session.directory.appending(path: name).path }

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  /// The entries of HTTP archives that are valid by the published schema, and that a HAR library reads.
  private func entries(_ paths: String...) throws -> [Entry] { try entries(paths) }

  private func entries(_ paths: [String]) throws -> [Entry] {
    let outcome = try PythonServer.run("check_har.py", paths).wait()
    outcome.expect(0)
    return try JSONDecoder().decode([Entry].self, from: outcome.output)
  }

  private func mode(_ path: String) throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int) & 0o777
  }

  @Test("a login, a call that refreshes in the background process, and a logout are valid archives of real requests")
  func flow() throws {
    let place = try Workplace()
    let files = ["login", "call", "logout"].map { path(place, $0 + ".har") }
    let login = try place.run(
      place.browserLogin(["--trace", files[0], "--trace", path(place, "login.jsonl")]), environment: place.browser())
    login.expect(0)
    try place.lab.expireAccessTokens()
    let call = try place.run("call", "--trace", files[1], "me")
    #expect(call.status == 0 && call.error.isEmpty, "\(call.error)")
    #expect(try place.run("logout", "--trace", files[2], "work").status == 0)
    let loginEntries = try entries(files[0])
    #expect(loginEntries.map(\.outline).contains("POST token 200"), "\(loginEntries)")
    #expect(loginEntries.allSatisfy { $0.role == "server" && !$0.background })
    let callEntries = try entries(files[1])
    #expect(
      callEntries.map(\.outline).filter { !$0.contains("configuration") } == [
        "GET me 401", "POST token 200", "GET me 200",
      ])
    let token = try #require(callEntries.first { $0.outline == "POST token 200" })
    let me = try #require(callEntries.first)
    #expect(token.background && token.role == "server" && token.process != me.process)
    #expect(!me.background && me.role == "api" && me.time > 0)
    #expect(try entries(files[2]).contains { $0.outline == "POST revoke 200" })
    for file in files + [path(place, "login.jsonl")] { #expect(try mode(file) == 0o600) }
  }

  @Test("a response without an end, a body that is cut, a failed connection: valid archives that state it")
  func odd() throws {
    let place = try Workplace(.none)
    let long = String(repeating: "x", count: 70_000)
    let server = try ScriptedServer { peer in
      let isCut = try peer.head().contains("/cut")
      let length = isCut ? 99 : long.utf8.count
      try peer.send("HTTP/1.1 203 As it is\nContent-Type: text/plain\nContent-Length: \(length)\n\n")
      try peer.send(Array((isCut ? "short" : long).utf8))
    }
    let file = path(place, "odd.har")
    func entry(_ url: String, status: Int32) throws -> Entry {
      let outcome = try place.run("call", "--no-auth", "-o", "/dev/null", "--trace", file, url)
      #expect(outcome.status == status, "\(outcome.error)")
      return try #require(try entries(file).first)
    }
    let whole = try entry(server.base + "/long", status: 0)
    #expect(whole.status == 203 && whole.reason == "As it is" && whole.comment.hasPrefix("cut: "), "\(whole)")
    #expect(try entry(server.base + "/cut", status: 5).error?.isEmpty == false)
    let refused = try entry("http://127.0.0.1:\(FreePort.find())/", status: 5)
    #expect(refused.status == 0 && refused.error?.isEmpty == false, "\(refused)")
  }

  @Test("a second process that would write the same file is refused, and the file of the first one is valid")
  func twoProcesses() throws {
    let place = try Workplace.loggedIn()
    let file = path(place, "one.har")
    let run = try place.start(["call", "--trace", file, "slow?ms=60000"])
    try Waiting.until("the request") { try place.lab.count("api") == 1 }
    let other = try place.run("call", "--trace", file, "me")
    other.expect(1, error: "another process is writing it")
    run.send(SIGTERM)
    #expect(try run.wait().status == 143)
    #expect(try entries(file).last?.outline == "GET slow 0")
  }

  @Test("the file of standard output is refused")
  func standardOutput() throws {
    let place = try Workplace.loggedIn()
    let file = path(place, "output.har")
    let outcome = try place.run(
      ["call", "--trace", file, "me"], through: ["/bin/bash", "-c", "exec \"$@\" >\"$0\"", file])
    outcome.expect(2, error: "it is the same file as that of standard output")
    #expect(try text(file).isEmpty)
  }

  @Test("two signals at once, as a closed terminal sends them, do not end the program while it completes its files")
  func twoSignals() throws {
    let place = try Workplace.loggedIn()
    let (full, file) = (path(place, "full"), path(place, "two.html"))
    // The script holds both ends of a pipe that is full: the diagram waits until the test reads it.
    let script = """
      mkfifo "$0"; exec 3<>"$0"; dd if=/dev/zero of="$0" bs=4096 oflag=nonblock 2>/dev/null; exec "$@" 2>&3
      """
    let run = try place.start(
      ["call", "--trace", "-", "--trace", file, "slow?ms=60000"], through: ["/bin/bash", "-c", script, full])
    try Waiting.until("the request") { try place.lab.count("api") == 1 }
    run.send(SIGHUP)
    run.send(SIGTERM)
    let reader = try FileHandle(forReadingFrom: URL(filePath: full))
    reader.readabilityHandler = { _ = $0.availableData }
    #expect([129, 143].contains(try run.wait().status))
    reader.readabilityHandler = nil
    #expect(try text(file).hasSuffix("</html>\n"))
  }

  @Test("a reader that goes leaves a valid file")
  func brokenPipe() throws {
    let place = try Workplace.loggedIn()
    let file = path(place, "pipe.har")
    let outcome = try place.run(
      ["call", "--trace", file, "me"], through: ["/bin/bash", "-c", "\"$@\" | true; exit ${PIPESTATUS[0]}", "-"])
    #expect(outcome.text.isEmpty)
    #expect(try entries(file).last?.outline == "GET me 200")
  }

  @Test("a signal during a slow call leaves a valid file with the request that was not completed")
  func interrupted() throws {
    let place = try Workplace.loggedIn()
    for (number, status) in [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129), (SIGQUIT, 131)] as [(Int32, Int32)] {
      let file = path(place, "slow-\(number).har")
      try place.lab.reset()
      let run = try place.start(["call", "--trace", file, "slow?ms=60000"])
      try Waiting.until("the request") { try place.lab.count("api") == 1 }
      run.send(number)
      #expect(try run.wait().status == status)
      let entry = try #require(try entries(file).last)
      #expect(entry.outline == "GET slow 0")
      #expect(try text(file).contains("interrupted: "))
    }
  }

  @Test(
    "a signal at the question for a password leaves a valid file, and no error message", arguments: [SIGINT, SIGTERM])
  func interruptedAtPrompt(number: Int32) throws {
    let place = try Workplace(.none)
    let file = path(place, "prompt.har")
    let terminal = try PseudoTerminal()
    let run = try place.start(
      ["call", "--trace", file, "-u", "alice", place.lab.origin + "/open/x"], input: .terminal(terminal))
    _ = try terminal.read(until: "Password of alice: ")
    try Waiting.until("no echo") { !terminal.echoes }
    run.send(number)
    #expect(try run.wait().status == 128 + number)
    #expect(try !terminal.readToEnd().contains("no response"))
    #expect(try entries(file).isEmpty)
  }

  @Test("a second SIGINT ends a call whose diagram can't be written, because standard error has no reader")
  func secondSignal() throws {
    let place = try Workplace.loggedIn()
    // The script holds both ends of a pipe that is full.
    let script = """
      mkfifo "$0"; exec 3<>"$0"; dd if=/dev/zero of="$0" bs=4096 oflag=nonblock 2>/dev/null; exec "$@" 2>&3
      """
    let run = try place.start(
      ["call", "--trace", "-", "slow?ms=60000"], through: ["/bin/bash", "-c", script, path(place, "full")])
    // If this test fails, the process would wait for its request.
    defer { if (try? run.hasEnded()) == false { run.send(SIGKILL) } }
    try Waiting.until("the request") { try place.lab.count("api") == 1 }
    try Waiting.until("the end of the call") {
      run.send(SIGINT)
      return try run.hasEnded()
    }
    #expect(try run.wait().status == 130)
  }

  @Test("every request of a large batch is in the archive", arguments: Workplace.Wire.allCases)
  func batch(wire: Workplace.Wire) throws {
    let place = try Workplace.loggedIn(over: wire)
    let file = path(place, "batch.har")
    let lines = (0..<2000).map { "echo/\($0)\n" }.joined()
    let outcome = try place.run(
      ["call", "--batch", "-", "--parallel", "20", "--trace", file], input: .text(lines))
    outcome.expect(0)
    let urls = try entries(file).map(\.url)
    #expect(urls.count == 2000 && Set(urls) == Set((0..<2000).map { "\(place.origin)/api/echo/\($0)" }))
  }

  @Test(
    "the archive of a batch has each request as soon as it ends, and a signal closes it",
    arguments: [SIGINT, SIGTERM])
  func interruptedBatch(number: Int32) throws {
    let place = try Workplace.loggedIn()
    let file = path(place, "batch.har")
    let run = try place.start(["call", "--batch", "-", "--trace", file], input: .held)
    // More than a recorder keeps.
    try run.write((0..<500).map { "echo/\($0)\n" }.joined())
    // At first there is no file yet.
    try Waiting.until("the entries") { (try? text(file))?.contains("/api/echo/499\"") == true }
    try run.write("slow?ms=60000\n")
    try Waiting.until("the request") { try place.lab.count("api") == 501 }
    #expect(try !run.hasEnded() && !text(file).hasSuffix("]}}\n"))
    run.send(number)
    #expect(try run.wait().status == 128 + number)
    let entries = try entries(file)
    #expect(entries.count == 501 && entries.last?.outline == "GET slow 0")
  }

  @Test("exec completes the file before its command starts")
  func exec() throws {
    let place = try Workplace.loggedIn()
    try place.lab.expireAccessTokens()
    let file = path(place, "exec.har")
    let outcome = try place.run(
      ["exec", "--min-validity", "20m", "--trace", file, "--", "/usr/bin/python3", "-m", "json.tool", file])
    #expect(outcome.status == 0 && outcome.text.contains("\"creator\""), "\(outcome.error)")
    #expect(try entries(file).contains { $0.outline == "POST token 200" })
  }

  @Test("a disk that is full is a warning, and the exit status is that of the command")
  func fullDisk() throws {
    let place = try Workplace.loggedIn()
    let file = path(place, "full.har")
    // The limit of a file's size takes the place of the disk's; its signal must not end the program.
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""
    let outcome = try place.run(
      [
        "call", "--trace", file, "-o", "/dev/null", "-o", "/dev/null", "me",
        "echo/\(String(repeating: "x", count: 1500))",
      ],
      through: ["/bin/bash", "-c", script])
    outcome.expect(0, error: "authctl: warning: the trace \(file) is incomplete: ")
  }

  @Test("no secret is in any form of a trace; with --trace-secrets, those that were sent are in the archive")
  func secrecy() throws {
    let place = try Workplace()
    let odd = "conf secret/+%&=é"
    var files: [String] = []
    func run(
      _ name: String, _ arguments: [String], status: Int32 = 0, input: ProgramInput = .nothing,
      environment: [String: String?] = [:]
    ) throws {
      let traces = ["har", "jsonl", "html", "mmd"].map { path(place, "\(name).\($0)") }
      let outcome = try place.run(
        arguments + ["--trace", "-"] + traces.flatMap { ["--trace", $0] }, input: input, environment: environment)
      #expect(outcome.status == status, "\(name): \(outcome.error)")
      let drawing = path(place, "\(name).txt")
      try Data(outcome.error.utf8).write(to: URL(filePath: drawing))
      files += traces + [drawing]
    }
    try run("browser", place.browserLogin(), environment: place.browser())
    try place.lab.expireAccessTokens()
    try run("echo", ["call", "-H", "Cookie: session=cookie-secret", "-d", "a=b", "echo/x?access_token=query-secret"])
    try run("replay", ["call", "--simulate", "refused", "echo/y"])
    try run("refresh", ["refresh", "work"])
    let client = ["--issuer", place.lab.origin, "--client-id", "odd", "--api", place.lab.origin]
    for method in ["client_secret_basic", "client_secret_post"] {
      try run(
        method,
        ["login", method, "--flow", "client-credentials", "--client-secret-stdin", "--client-authentication"]
          + [method] + client, input: .text(odd))
    }
    try place.makeProfile("pw")
    try run("wrong", ["login", "pw", "--password-stdin"], status: 6, input: .text("wrong-password"))
    try run("password", ["login", "pw", "--password-stdin"], input: .text(Workplace.password))
    try device(place, &files)
    try run("logout", ["logout", "work"])
    let issued = try JSONDecoder().decode([String].self, from: place.lab.send("GET", "/control/secrets").body)
    let secrets = issued + [odd, Workplace.password, "wrong-password", "cookie-secret", "query-secret"]
    #expect(issued.count > 10)
    var all = ""
    for file in files {
      let text = try text(file)
      #expect(!text.isEmpty)
      for secret in Set(secrets) { #expect(!text.contains(secret), "\(file): \(secret)") }
      all += text
    }
    #expect(
      all.contains("Bearer ‹redacted ") && all.contains("refresh_token=‹opaque, ") && all.contains("Basic ‹redacted›"))
    _ = try entries(files.filter { $0.hasSuffix(".har") } + [try kept(place)])
  }

  /// A login on another device.
  private func device(_ place: Workplace, _ files: inout [String]) throws {
    try place.makeProfile("tv", "flow = \"device\"")
    let traces = ["har", "jsonl", "html", "mmd"].map { path(place, "device.\($0)") }
    files += traces
    let run = try place.start(["login", "tv"] + traces.flatMap { ["--trace", $0] })
    try run.waitUntilError(contains: "?user_code=")
    try place.lab.decideDevices(#"{"decision":"allow","user":"alice"}"#)
    let outcome = try run.wait()
    outcome.expect(0)
    let code = try #require(outcome.error.firstMatch(of: /user_code=([A-Z0-9-]+)/)).1
    for file in traces { #expect(try !text(file).contains(code)) }
  }

  /// Returns an archive made with `--trace-secrets`.
  private func kept(_ place: Workplace) throws -> String {
    let file = path(place, "kept.har")
    let refreshToken = try #require(try place.pair("pw").string("refresh_token"))
    #expect(try place.run("refresh", "pw", "--trace", file, "--trace-secrets").status == 0)
    #expect(try mode(file) == 0o600)
    let pair = try place.pair("pw")
    for secret in [refreshToken, try #require(pair.string("access_token"))] {
      #expect(try text(file).contains(secret))
    }
    return file
  }
}
