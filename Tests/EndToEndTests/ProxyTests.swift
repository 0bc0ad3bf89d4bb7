import Foundation
import TestSupport
import Testing

@Suite("proxy, end to end")
struct ProxyTests {
  /// A running proxy.
  private struct Proxy {
    let run: ProgramRun
    let address: String
    /// Without the key.
    var origin: String { address.split(separator: "/").prefix(2).joined(separator: "//") }
    var key: String { String(address.split(separator: "/").last ?? "") }
  }

  private func start(_ place: Workplace, _ more: [String] = []) throws -> Proxy {
    let run = try place.start(["proxy", "work"] + more)
    let line = try run.waitUntilItServes("the proxy")
    return Proxy(run: run, address: String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines))
  }

  private func shell(_ place: Workplace, _ script: String) throws -> Outcome {
    try ProgramRun(
      "/bin/bash", ["-c", "cd \"$HOME\"\n" + script],
      environment: place.session.environment.merging(["PATH": "/usr/bin:/bin"]) { $1 }, folder: place.session.directory
    ).wait()
  }

  /// Prints the body and the status.
  private func curl(_ place: Workplace, _ words: String) throws -> String {
    try shell(place, "curl -sS -w '%{http_code}' \(words)").text
  }

  @Test("curl needs the key in one of three forms, and no token; without it 401, and nothing of the profile")
  func forms() throws {
    let place = try Workplace.loggedIn()
    let proxy = try start(place)
    for words in [
      "\(proxy.address)/me", "-H 'Authorization: Bearer \(proxy.key)' \(proxy.origin)/me",
      "-u any:\(proxy.key) \(proxy.origin)/me",
    ] {
      let text = try curl(place, words)
      #expect(text.contains("\"Alice\"") && text.hasSuffix("200"), "\(text)")
    }
    let refused = try curl(place, "-i \(proxy.origin)/me")
    #expect(refused.hasSuffix("401") && refused.lowercased().contains("www-authenticate: basic"), "\(refused)")
    #expect(!refused.contains("work") && !refused.contains(place.lab.origin))
    let token = try #require(try place.pair().string("access_token"))
    #expect(!proxy.run.commandLine.contains(token) && !proxy.run.outputSoFar.contains(token))
    proxy.run.send(SIGTERM)
    #expect(try proxy.run.wait().status == 0)
  }

  @Test("twenty clients with a revoked token: one exchange, no refusal; bodies are sent again")
  func replay() throws {
    let place = try Workplace.loggedIn()
    let proxy = try start(place, ["--replay-buffer", "1000"])
    try place.lab.expireAccessTokens()
    let before = try place.lab.count("token.refresh_token.ok")
    let script = """
      head -c 3000000 /dev/zero >big; printf small >small
      for i in $(seq 10); do
        curl -sS -o out-$i-a -w '%{http_code}\\n' --data-binary @small \(proxy.address)/echo &
        curl -sS -o out-$i-b -w '%{http_code}\\n' -T big -H 'Expect:' \(proxy.address)/echo &
      done
      wait
      """
    let outcome = try shell(place, script)
    #expect(outcome.text == String(repeating: "200\n", count: 20), "\(outcome.text)\(outcome.error)")
    #expect(try place.lab.count("token.refresh_token.ok") - before == 1)
  }

  @Test("a logout is obeyed: 502 with the error as JSON; a login elsewhere, and it works again")
  func session() throws {
    let place = try Workplace.loggedIn()
    let proxy = try start(place)
    #expect(try curl(place, "\(proxy.address)/me").hasSuffix("200"))
    #expect(try place.run("logout").status == 0)
    try Waiting.until("the logout") { try curl(place, "\(proxy.address)/me").hasSuffix("502") }
    let body = try shell(place, "curl -sS \(proxy.address)/me").text
    let error = try JSONObject(Data(body.utf8)).object("error")
    #expect(error.string("code") == "login_required" && error.string("hint")?.contains("authctl login work") == true)
    try place.logIn()
    try Waiting.until("the login") { try curl(place, "\(proxy.address)/me").hasSuffix("200") }
  }

  @Test("a unix socket needs no key, is its user's alone, and goes with the proxy; a stale one is replaced")
  func unixSocket() throws {
    let place = try Workplace.loggedIn()
    let path = place.session.directory.appending(path: "proxy.sock").path
    for signal in [SIGKILL, SIGTERM] {
      let proxy = try start(place, ["--listen", "unix:\(path)"])
      #expect(proxy.address == "unix:\(path)")
      #expect(try curl(place, "--unix-socket \(path) http://any/me").hasSuffix("200"))
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      let second = try place.run("proxy", "work", "--listen", "unix:\(path)")
      #expect(second.status == 5 && second.error.contains("in use"), "\(second.error)")
      proxy.run.send(signal)
      _ = try proxy.run.wait()
      // The kernel may close the socket a moment after the end of the process.
      try Waiting.until("the end of the socket") {
        try shell(place, "curl -sS --unix-socket \(path) http://any/me").status == 7
      }
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    let file = try place.secretFile("mine")
    #expect(try place.run("proxy", "work", "--listen", "unix:\(file)").status == 5)
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("mine"), "only a socket is replaced")
  }

  @Test("another user is refused, by TCP and by a unix socket, unless it is allowed", .enabled(if: getuid() == 0))
  func users() throws {
    let place = try Workplace.loggedIn()
    let path = "/tmp/authctl-\(UUID().uuidString)"
    func asOther(_ words: String) throws -> String {
      try shell(place, "setpriv --reuid=65534 --regid=65534 --clear-groups curl -sS -w '%{http_code}' \(words)").text
    }
    let own = try start(place)
    #expect(try asOther("\(own.address)/me").hasSuffix("403"))
    let shared = try start(place, ["--allow-uid", "65534"])
    #expect(try asOther("\(shared.address)/me").hasSuffix("200"))
    #expect(try asOther("\(shared.origin)/me").hasSuffix("401"))
    let socket = try start(place, ["--listen", "unix:\(path)", "--allow-uid", "65534"])
    #expect(try asOther("--unix-socket \(path) http://any/me").hasSuffix("200"))
    let third = try shell(
      place,
      "setpriv --reuid=65533 --clear-groups curl -sS -w '%{http_code}' --unix-socket \(path) http://any/")
    #expect(third.text.hasSuffix("403"), "\(third.text)\(third.error)")
    withExtendedLifetime(socket) {}
  }

  @Test("hosts, pages and paths that are not the proxy's own are refused")
  func foreign() throws {
    let place = try Workplace.loggedIn()
    let proxy = try start(place, ["--allow", "GET /me"])
    for (words, status) in [
      ("\(proxy.address)/me", "200"), ("-H 'Host: evil.example' \(proxy.address)/me", "403"),
      ("-H 'Origin: http://evil.example' \(proxy.address)/me", "403"), ("\(proxy.address)/echo", "403"),
      ("-X POST \(proxy.address)/me", "403"), ("--path-as-is \(proxy.address)/../control/counters", "403"),
      ("-X CONNECT --request-target id.example:443 \(proxy.address)", "400"),
    ] {
      let text = try curl(place, words)
      #expect(text.hasSuffix(status), "\(words): \(text)")
    }
    let wide = try start(place)
    for path in ["/../control/counters", "/%2e%2e/control/counters", "/a/..%2f..%2fcontrol/counters"] {
      #expect(try curl(place, "--path-as-is '\(wide.address)\(path)'").hasSuffix("400"), "\(path)")
    }
  }

  @Test("addresses off this machine, unknown profiles and bad keys end with 2")
  func usage() throws {
    let place = try Workplace.loggedIn()
    let key = try place.secretFile("short")
    for (arguments, words) in [
      (["--listen", "0.0.0.0:80"], "on this machine only"), (["--listen", "unix:s"], "absolute path"),
      (["--listen", "127.0.0.1:x"], "no port"), (["--allow", "GET"], "--allow"), (["--key-file", key], "22 to 128"),
      (["--allow-origin", "evil"], "not an origin"),
      (["--key-file", key, "--key-credential", "k"], "--key-file is given"),
    ] {
      let outcome = try place.run(["proxy", "work"] + arguments)
      #expect(outcome.status == 2 && outcome.error.contains(words), "\(outcome.error)")
    }
    #expect(try place.run("proxy", "other").status == 2)
    #expect(try place.run("proxy", "https://other.example/").status == 7)
  }
}
