import AuthCore
import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import AuthctlCLI

/// The files of `--trace`.
@Suite("TraceOutputRun") struct TraceOutputRunTests {
  private func path(_ place: Workplace, _ name: String) -> String { place.folder.appending(path: name).path }

  private func lines(_ path: String) throws -> [JSONObject] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { try JSONObject(Data($0.utf8)) }
  }

  private func mode(_ path: String) throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int) & 0o777
  }

  @Test("a call that refreshes: requests and steps in their order, without secrets, and nothing else is printed")
  func jsonLines() async throws {
    let place = try await Workplace.loggedIn()
    try await place.lab.expireAccessTokens()
    let before = try place.pair()
    let file = path(place, "call.jsonl")
    let outcome = try await place.run("call", "--trace", file, "me")
    #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.error)")
    let lines = try lines(file)
    let requests = lines.compactMap { line -> String? in
      guard let request = try? line.object("request"), let response = try? line.object("response") else { return nil }
      return "\(line.string("role") ?? "") \(request.string("method") ?? "") \(response.integer("status") ?? 0)"
    }
    #expect(requests.suffix(3) == ["api GET 401", "server POST 200", "api GET 200"], "\(requests)")
    #expect(lines.compactMap { $0.string("event") }.contains("refreshed"))
    #expect(lines.compactMap { $0.string("note") }.contains { $0.hasPrefix("profile work, ") })
    #expect(lines.allSatisfy { $0.integer("process") == Int(getpid()) && $0.string("time") != nil })
    let text = try String(contentsOfFile: file, encoding: .utf8)
    for pair in [before, try place.pair()] {
      for key in ["access_token", "refresh_token"] {
        let token = try #require(pair.string(key))
        #expect(!text.contains(token) && text.contains(Secret(token).fingerprint))
      }
    }
  }

  @Test("the steps of several profiles follow each other, because they do not name their profile")
  func severalProfiles() async throws {
    let place = try await Workplace.loggedIn()
    try place.makeProfile("other")
    try await place.logIn("other")
    // The second one would begin meanwhile.
    try await place.lab.fail(#"{"endpoint":"token","kind":"delay","milliseconds":200}"#)
    let file = path(place, "all.jsonl")
    #expect(try await place.run("refresh", "work", "other", "--trace", file).status == 0)
    let steps = try lines(file).compactMap { $0.string("event") }.filter { ["refreshing", "saved"].contains($0) }
    #expect(steps == ["refreshing", "saved", "refreshing", "saved"], "\(steps)")
  }

  @Test("the requests that look for an API's metadata are requests to the API")
  func discovery() async throws {
    let place = try await AddressRunTests.place(#","required_scope":"api""#)
    let file = path(place, "login.jsonl")
    let outcome = try await AddressRunTests.login(place, place.lab.origin + "/api", ["--trace", file])
    outcome.expect(0)
    let requests = try lines(file).compactMap { line -> String? in
      guard let role = line.string("role"), let url = try line.object("request").string("url") else { return nil }
      return "\(role) \(url.dropFirst(place.lab.origin.count))"
    }
    #expect(requests.starts(with: ["api /api", "api /.well-known/oauth-protected-resource/api"]), "\(requests)")
    #expect(requests.dropFirst(2).allSatisfy { $0.hasPrefix("server ") })
    #expect(requests.contains("server /token"), "\(requests)")
  }

  @Test("-v and --trace together: both have the same steps")
  func verbose() async throws {
    let place = try await Workplace.loggedIn()
    let file = path(place, "both.jsonl")
    let outcome = try await place.run("call", "-v", "--trace", file, "me")
    #expect(outcome.error.contains("> GET /api/me HTTP/1.1"), "\(outcome.error)")
    for line in try lines(file) {
      if let text = line.string("text") { #expect(outcome.error.contains("* \(text)")) }
    }
  }

  @Test("a login that is refused leaves a valid archive with mode 0600, also over another file")
  func failure() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let file = try place.file("old.har", holding: String(repeating: "old ", count: 10_000))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    let outcome = try await place.run(
      ["login", "work", "--trace", file, "--password-stdin"], input: .text("wrong-password"))
    outcome.expect(6)
    let log = try JSONObject(Data(contentsOf: URL(filePath: file))).object("log")
    #expect(log.string("version") == "1.2")
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("password=‹redacted›"))
    #expect(try mode(file) == 0o600)
  }

  @Test("a server that can't be reached: the request with the reason")
  func unreachable() async throws {
    let place = try await Workplace.loggedIn()
    let file = path(place, "down.jsonl")
    try place.makeProfile("down", "api = [\"https://down.example\"]\nissuer = \"https://down.example\"")
    let outcome = try await place.run(
      "call", "--trace", file, "https://down.example/a", "-p", "down",
      environment: ["AUTHCTL_ACCESS_TOKEN": "given-token-of-the-environment"])
    outcome.expect(5)
    #expect(try lines(file).compactMap { $0.string("failure") } == ["down.example: connection refused"])
  }

  @Test("exec completes the file, also if its command can't be run")
  func exec() async throws {
    let place = try await Workplace.loggedIn()
    let file = path(place, "exec.har")
    let outcome = await place.run(
      ["exec", "--trace", file, "--", "true"], at: try FakeConsole(), with: .init(replacement: FakeReplacement()))
    #expect(outcome.status == 127)
    #expect(try JSONObject(Data(contentsOf: URL(filePath: file))).object("log").string("version") == "1.2")
  }

  @Test(
    "a command line that can't be recorded: status 2, and nothing is created or sent",
    arguments: [
      (["--trace", "a.log"], "--trace a.log: unknown extension, which selects the format"),
      (["--trace", "har"], "--trace har: unknown extension, which selects the format"),
      (["--trace", "x.har", "--trace", "./x.har"], "--trace ./x.har: it is given twice"),
      (["--trace", "-", "--trace-secrets"], "--trace-secrets: the terminal shows no secrets (--trace -)"),
      (["--trace-secrets"], "--trace-secrets: it requires --trace"),
      (["--trace", "x.har", "-X", "a b"], "-X a b: not an HTTP method"),
      (["--trace", "x.har", "-o", "./x.har"], "--trace x.har: it is the same file as that of -o"),
      (["--trace", "a/../x.har", "-D", "x.har"], "--trace a/../x.har: it is the same file as that of -D"),
      (["-T", "x.har", "--trace", "x.har"], "--trace x.har: it is the same file as that of -T"),
      (["-d", "@x.har", "--trace", "x.har"], "--trace x.har: it is the same file as that of -d"),
      (
        ["-F", "a=@y;type=a/b", "-F", "a=@y,\"x.har\"", "--trace", "x.har"],
        "--trace x.har: it is the same file as that of -F"
      ),
      (["-F", "a=<x.har", "--trace", "x.har"], "--trace x.har: it is the same file as that of -F"),
      (
        ["--data-urlencode", "a@x.har", "--trace", "x.har"],
        "--trace x.har: it is the same file as that of --data-urlencode"
      ),
      (["--trace", "x.har", "--print-curl"], "--print-curl: curl has no equivalent of --trace"),
    ])
  func refused(options: [String], message: String) async throws {
    let place = try await Workplace.loggedIn()
    let sent = place.network.sent
    let outcome = try await place.run(["call", "me"] + options)
    #expect(outcome.status == 2 && outcome.error.hasPrefix("authctl: \(message)\n"), "\(outcome.error)")
    #expect(place.network.sent == sent && !FileManager.default.fileExists(atPath: "x.har"))
  }

  @Test("the diagrams: a page, a text for Mermaid, and on standard error within the width, in ASCII or not")
  func diagrams() async throws {
    let place = try await Workplace.loggedIn()
    try await place.lab.expireAccessTokens()
    let files = ["flow.html", "flow.mmd"].map { path(place, $0) }
    let outcome = try await place.run(
      "call", "--trace", files[0], "--trace", files[1], "--trace", "-", "me", environment: ["LANG": "C"])
    outcome.expect(0)
    let (page, text) = (
      try String(contentsOfFile: files[0], encoding: .utf8), try String(contentsOfFile: files[1], encoding: .utf8)
    )
    let host = try #require(place.lab.origin.split(separator: "/").last)
    #expect(page.hasPrefix("<!doctype html>") && page.contains("<title>authctl call · profile work · \(host)</title>"))
    #expect(text.hasPrefix("sequenceDiagram\n"))
    for shown in [page, text, outcome.error] {
      for part in ["/api/me", "401", "/token", "200"] { #expect(shown.contains(part), "\(shown)") }
      for key in ["access_token", "refresh_token"] {
        #expect(!shown.contains(try #require(try place.pair().string(key))))
      }
    }
    #expect(outcome.error.utf8.allSatisfy { $0 < 0x80 })
    #expect(outcome.error.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let unicode = try await place.run("call", "--trace", "-", "me", environment: ["LANG": "C.UTF-8"])
    #expect(unicode.error.contains("│"), "\(unicode.error)")
    let json = try await place.run("call", "--trace", "-", "--errors=json", "me")
    #expect(
      try json.status == 2 && json.errorJSON().string("message") == "--trace -: each line of standard error is JSON")
  }

  @Test("the page has the command line without what may be a secret, the version, the outcome, and the claims")
  func run() async throws {
    let place = try await Workplace.loggedIn(lab: ["--jwt-access-tokens"])
    let file = path(place, "flow.html")
    let outcome = try await place.run(
      "call", "-H", "X-Mine: s3cret-1", "-d", "pin=1234", "--max-time", "20", "--trace", file,
      "echo?access_token=s3cret-2&x=y")
    outcome.expect(0)
    let page = try String(contentsOfFile: file, encoding: .utf8)
    let line = try #require(page.firstMatch(of: /<p class="command"><code>([^\n]*)<\/code><\/p>/)).1
    #expect(
      line == "authctl call --header X-Mine: ‹…› --data ‹…› --max-time 20 --trace \(file) "
        + "&#39;echo?access_token=‹redacted›&amp;x=y&#39;", "\(line)")
    #expect(page.contains("<p class=\"verdict success\">200: exit 0</p>"))
    #expect(page.contains("<span>authctl \(Program.currentVersion)</span>"))
    #expect(page.contains("<section class=\"claims c-") && page.contains("&quot;sub&quot;: &quot;alice&quot;"))
    for secret in ["s3cret-1", "s3cret-2", "pin=1234"] where secret != "pin=1234" {
      #expect(!line.contains(secret))
    }
  }

  @Test("the page of a login in the browser has a row for the authorization request, which JSON lines have, too")
  func visit() async throws {
    let place = try Workplace()
    let files = ["flow.html", "flow.jsonl"].map { path(place, $0) }
    let outcome = try await place.run(
      place.browserLogin(["--trace", files[0], "--trace", files[1]]), browser: place.browser())
    outcome.expect(0)
    let page = try String(contentsOfFile: files[0], encoding: .utf8)
    #expect(page.contains("GET /authorize client_id=cli scope=openid api redirect_uri=http://127.0.0.1:"), "\(page)")
    #expect(page.contains("<tr><th>state</th><td>‹43 chars›</td></tr>"))
    let lines = try String(contentsOfFile: files[1], encoding: .utf8).split(separator: "\n")
    let request = lines.compactMap { try? JSONObject(Data($0.utf8)).object("authorization_request") }
    #expect(request.count == 1 && request[0].string("url") == place.lab.origin + "/authorize")
    let sent = try await place.lab.lastRequests().first { $0.target.hasPrefix("/authorize?") }
    let state = URLComponents(string: sent?.target ?? "")?.queryItems?.first { $0.name == "state" }?.value
    for text in [page] + lines.map(String.init) { #expect(!text.contains(try #require(state))) }
  }

  @Test("the lane of the program has the name of its file in every diagram")
  func programName() async throws {
    let place = try await Workplace.loggedIn()
    let files = ["flow.html", "flow.mmd"].map { path(place, $0) }
    let console = try FakeConsole()
    var context = Context.test(
      home: place.folder, console: console, transport: place.network, secrets: place.secrets, clocks: place.clocks)
    context.program = ProgramName(calledBy: "/usr/bin/authc")
    let words = ["call", "--trace", files[0], "--trace", files[1], "--trace", "-", "me"]
    #expect(await Application(context).run(words) == 0, "\(console.error)")
    #expect(try String(contentsOfFile: files[0], encoding: .utf8).contains("<b>authc</b>"))
    #expect(try String(contentsOfFile: files[1], encoding: .utf8).contains("participant program as authc\n"))
    #expect(try #require(console.error.split(separator: "\n").first).contains("authc "), "\(console.error)")
  }

  @Test("an archive and JSON lines are written request by request, a diagram at the end")
  func streamed() async throws {
    let place = try await Workplace.loggedIn()
    try place.makeProfile("work", #"api = ["\#(place.lab.origin)/api", "https://other.example"]"#)
    let files = ["flow.har", "flow.jsonl", "flow.mmd"].map { path(place, $0) }
    let seen = Mutex<[String?]>([])
    place.network.add("https://other.example") { _ in
      let texts = files.map { try? String(contentsOfFile: $0, encoding: .utf8) }
      seen.withLock { $0 = texts }
      return "HTTP/1.1 200 OK\nContent-Length: 0\n\n"
    }
    let outcome = try await place.run(["call", "me", "https://other.example/"] + files.flatMap { ["--trace", $0] })
    outcome.expect(0)
    let texts = seen.withLock(\.self)
    for text in texts.prefix(2) { #expect(text?.contains("/api/me") == true, "\(texts)") }
    #expect(texts.last == "")
    for file in files { #expect(try String(contentsOfFile: file, encoding: .utf8).contains("other.example")) }
  }

  @Test("a diagram of a long batch has its first steps and the number of the others")
  func manySteps() async throws {
    let place = try await Workplace.loggedIn()
    let file = path(place, "batch.mmd")
    let lines = String(repeating: "me\n", count: 400)
    let outcome = try await place.run(["call", "--batch", "-", "--trace", file], input: .text(lines))
    outcome.expect(0)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains(" more steps are not shown"), "\(text.suffix(300))")
  }

  @Test("one file by two names is refused, and a file is kept if another one can't be written")
  func sameFile() async throws {
    let place = try await Workplace.loggedIn()
    let file = try place.file("a.har", holding: "kept")
    let link = file + ".html"
    try FileManager.default.linkItem(atPath: file, toPath: link)
    let twice = try await place.run("call", "me", "--trace", file, "--trace", link)
    twice.expect(2, error: "it is the same file as another one")
    let uploaded = try await place.run("call", "me", "--trace", file, "-T", link)
    uploaded.expect(2)
    #expect(uploaded.error.hasPrefix("authctl: --trace \(file): it is the same file as that of -T\n"))
    let missing = try await place.run("call", "me", "--trace", file, "--trace", "/nowhere/c.html")
    #expect(missing.status == 1)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "kept")
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  @Test("a text that begins with @ and is no file, and standard input, are no other use of the file")
  func noFile() async throws {
    let place = try await Workplace.loggedIn()
    // One file each: a child process of another test may keep the lock of one until it starts its program.
    for (name, option) in [("a", "--data-raw"), ("b", "-T"), ("c", "-o"), ("d", "-F")] {
      let file = path(place, "\(name).har")
      let options = [option, option == "-F" ? "a=b@" + file : option == "--data-raw" ? "@" + file : "-"]
      let outcome = try await place.run(["call", "--trace", file, "echo/x"] + options)
      #expect(outcome.status == 0, "\(options): \(outcome.error)")
    }
  }

  @Test("a file that another process is writing is refused and stays as it is, before anything is sent")
  func locked() async throws {
    let place = try await Workplace.loggedIn()
    let file = try place.file("busy.jsonl", holding: "kept")
    let sent = place.network.sent
    let other = try FileDescriptor.open(FilePath(file), .writeOnly)
    #expect(flock(other.rawValue, LOCK_EX | LOCK_NB) == 0)
    let refused = try await place.run("call", "--trace", file, "me")
    refused.expect(1)
    #expect(refused.error.hasPrefix("authctl: --trace \(file): another process is writing it\n"), "\(refused.error)")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "kept" && place.network.sent == sent)
    // Not only closed: a child process of another test may have the file open, too.
    #expect(flock(other.rawValue, LOCK_UN) == 0)
    try other.close()
    #expect(try await place.run("call", "--trace", file, "me").status == 0)
    #expect(try !lines(file).isEmpty)
  }

  @Test("a file is free when the command has ended, although a process that was started meanwhile still has it open")
  func free() async throws {
    let place = try Workplace()
    let (file, origin) = (path(place, "free.jsonl"), "http://127.0.0.1:1")
    let copies = Mutex<[Int32]>([])
    place.network.add(origin) { _ in
      // What a child process has until it runs its program.
      let (files, folder) = (FileManager.default, "/proc/self/fd")
      for name in (try? files.contentsOfDirectory(atPath: folder)) ?? []
      where (try? files.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")) == file {
        copies.withLock { if $0.isEmpty { $0.append(fcntl(Int32(name) ?? -1, F_DUPFD_CLOEXEC, 0)) } }
      }
      return "HTTP/1.1 204 No Content\n\n"
    }
    for _ in 0..<2 {
      let outcome = try await place.run("call", "--no-auth", origin + "/", "--trace", file)
      outcome.expect(0)
    }
    let held = copies.withLock { $0 }
    #expect(held.count == 1)
    for copy in held { close(copy) }
  }

  @Test("the times count from the start of the program, as those of -v")
  func start() async throws {
    let place = try Workplace()
    let context = Context.test(
      home: place.folder, console: try FakeConsole(), transport: place.network, secrets: place.secrets,
      clocks: place.clocks)
    while context.start.duration(to: .now) < .milliseconds(20) {}
    let invocation = Invocation(
      command: RunnableCommand.call.command,
      occurrences: [Occurrence(option: .trace, value: path(place, "x.jsonl"))], operands: [])
    let tracing = try context.tracing(TraceArguments(invocation), of: invocation)
    let begun = context.start.duration(to: .now).seconds
    VerboseLog(tracing).step("x")
    tracing.trace.finish()
    let step = try JSONValue(parsing: String(contentsOfFile: path(place, "x.jsonl"), encoding: .utf8).utf8)
    #expect(try #require(step["offset_ms"]?.lenientNumber) >= begun * 1000 - 0.001)
  }

  @Test("a file that can't be written, a symbolic link, a folder or a pipe: status 1 before anything is sent")
  func unwritable() async throws {
    let place = try await Workplace.loggedIn()
    let target = try place.file("target.har", holding: "kept")
    try FileManager.default.createSymbolicLink(atPath: path(place, "link.har"), withDestinationPath: target)
    try FileManager.default.createDirectory(atPath: path(place, "folder.har"), withIntermediateDirectories: false)
    #expect(unsafe mkfifo(path(place, "pipe.har"), 0o600) == 0)
    let sent = place.network.sent
    let reasons = [
      "none/a.har": "it can't be written: No such file or directory",
      "link.har": "it is a symbolic link, which is not followed", "folder.har": "it can't be written: Is a directory",
      "pipe.har": "it can't be written: ",
    ]
    for (name, reason) in reasons {
      let outcome = try await place.run("call", "--trace", path(place, name), "me")
      outcome.expect(1, error: "\(name): \(reason)")
    }
    #expect(place.network.sent == sent)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "kept")
  }
}
