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

  private func start(
    _ place: Workplace, _ more: [String] = [], of profiles: [String] = ["work"]
  ) throws -> Proxy {
    let run = try place.start(["proxy"] + profiles + more)
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
      (["--key-file", key, "--key-credential", "k"], "combined with --key-file"),
    ] {
      let outcome = try place.run(["proxy", "work"] + arguments)
      #expect(outcome.status == 2 && outcome.error.contains(words), "\(outcome.error)")
    }
    #expect(try place.run("proxy", "other").status == 2)
    #expect(try place.run("proxy", "https://other.example/").status == 7)
  }

  @Test("several profiles: the first segment names one; the others are not found")
  func profiles() throws {
    let place = try Workplace.loggedIn()
    try place.makeProfile("other")
    let proxy = try start(place, ["--allow", "GET /work/*", "--allow", "GET /other/**"], of: ["work", "other"])
    #expect(try curl(place, "\(proxy.address)/work/me").hasSuffix("200"))
    #expect(try curl(place, "\(proxy.address)/work/echo/x").hasSuffix("403"))
    let other = try curl(place, "\(proxy.address)/other/me")
    #expect(other.contains("authctl login other") && other.hasSuffix("502"), "\(other)")
    let wide = try start(place, of: ["work", "other"])
    for path in ["/none/me", "/workx/me", "", "/"] {
      #expect(try curl(place, "'\(wide.address)\(path)'").hasSuffix("404"), "\(path)")
    }
    #expect(try curl(place, "\(wide.origin)/none/me").hasSuffix("401"), "without the key nothing is said of profiles")
    #expect(try place.run("proxy", "work", "none").status == 2)
    #expect(try place.run("proxy", "work", "https://other.example/").status == 2)
  }

  @Test("a URL is the address itself: the key alone, and / with the key in a field, go exactly there")
  func address() throws {
    let place = try Workplace.loggedIn()
    let proxy = try start(place, of: [place.lab.origin + "/.well-known/openid-configuration"])
    for words in [proxy.address, "\(proxy.address)?x=1", "-u any:\(proxy.key) \(proxy.origin)/"] {
      #expect(try curl(place, "'\(words.replacing(" ", with: "' '"))'").hasSuffix("200"), "\(words)")
    }
    #expect(try curl(place, "\(proxy.address)/").hasSuffix("404"))
  }

  @Test("-v has a line for each request, without key and token; status names the proxy while it runs")
  func lines() throws {
    let place = try Workplace.loggedIn()
    let file = place.session.directory.appending(path: "trace.jsonl")
    let proxy = try start(place, ["-v", "--trace", file.path])
    #expect(try curl(place, "\(proxy.address)/me?secret=hidden").hasSuffix("200"))
    #expect(try curl(place, "\(proxy.origin)/me").hasSuffix("401"))
    let json = try place.run("status", "work", "--json").text.replacing("\\/", with: "/")
    #expect(json.contains(#""proxies":[{"address":"\#(proxy.origin)","pid":"#), "\(json)")
    #expect(try place.run("status", "work").text.contains("  proxy          \(proxy.origin) (process "))
    proxy.run.send(SIGTERM)
    let outcome = try proxy.run.wait()
    let token = try #require(try place.pair().string("access_token"))
    #expect(outcome.error.contains("* GET /me: 200, ") && outcome.error.contains("* GET without the key: 401, "))
    #expect(!outcome.error.contains(proxy.key) && !outcome.error.contains(token) && !outcome.error.contains("hidden"))
    let trace = try String(contentsOf: file, encoding: .utf8)
    #expect(trace.contains("GET /me: 200") && !trace.contains(proxy.key) && !trace.contains(token))
    #expect(try !place.run("status", "work").text.contains("  proxy "))
    let killed = try start(place)
    killed.run.send(SIGKILL)
    _ = try killed.run.wait()
    #expect(try !place.run("status", "work").text.contains("  proxy "), "the record of a killed proxy means nothing")
  }

  @Test("a hang-up reads the profile again; an invalid one changes nothing")
  func hangup() throws {
    let place = try Workplace.loggedIn()
    let proxy = try start(place)
    try place.makeProfile("work", "api = [\"\(place.lab.origin)/other\"]")
    #expect(try curl(place, "\(proxy.address)/me").hasSuffix("200"))
    proxy.run.send(SIGHUP)
    try Waiting.until("the new api") { try curl(place, "\(proxy.address)/me").hasSuffix("404") }
    try place.makeProfile("work", "api = 1")
    proxy.run.send(SIGHUP)
    try proxy.run.waitUntilError(contains: "the previous settings stay in use")
    #expect(try curl(place, "\(proxy.address)/me").hasSuffix("404"))
  }

  @Test("it ends by itself after the idle time, and not while a request runs")
  func idle() throws {
    let place = try Workplace.loggedIn()
    let proxy = try start(place, ["--idle-timeout", "1"])
    let slow = try shell(
      place, "(printf a; sleep 3; printf b) | curl -sS -T - \(proxy.address)/echo -o /dev/null -w '%{http_code}'")
    #expect(slow.text == "200", "\(slow.text)\(slow.error)")
    #expect(try proxy.run.wait().status == 0)
  }

  @Test("a service manager: its socket is used, it is notified, and a waiting program gets the address")
  func service() throws {
    let place = try Workplace.loggedIn()
    let key = try place.secretFile(String(repeating: "k", count: 32))
    let script = """
      import os, signal, socket, subprocess, sys, urllib.request
      program, key = sys.argv[1:3]
      listener = socket.socket(); listener.bind(("127.0.0.1", 0)); listener.listen()
      notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); notify.bind("\\0authctl-%d" % os.getpid())
      notify.settimeout(60)
      reading, writing = os.pipe()
      child = os.fork()
      if child == 0:
          os.dup2(listener.fileno(), 3); os.dup2(writing, 9); os.set_inheritable(3, True); os.set_inheritable(9, True)
          os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1", NOTIFY_SOCKET="@authctl-%d" % os.getppid())
          os.execv(program, [program, "proxy", "work", "--key-file", key, "--ready-fd", "9"])
      os.close(writing)
      line = os.read(reading, 1000).decode()
      origin = "http://127.0.0.1:%d" % listener.getsockname()[1]
      print(line == origin + "\\n", os.read(reading, 1), notify.recv(1000).decode())
      request = urllib.request.Request(origin + "/me", headers={"Authorization": "Bearer " + open(key).read().strip()})
      print(urllib.request.urlopen(request).status)
      os.kill(child, signal.SIGHUP)
      print(notify.recv(1000).decode().split("=")[0], notify.recv(1000).decode())
      os.kill(child, signal.SIGTERM)
      print(notify.recv(1000).decode(), os.waitpid(child, 0)[1])
      """
    let outcome = try ProgramRun(
      "/usr/bin/python3", ["-c", script, Workplace.binary, key], environment: place.session.environment,
      folder: place.session.directory
    ).wait()
    #expect(
      outcome.text.split(separator: "\n").suffix(4) == [
        "True b'' READY=1", "200", "RELOADING READY=1", "STOPPING=1 0",
      ],
      "\(outcome.text)\(outcome.error)")
  }

  @Test("a proof of its own for each request: programs that know no DPoP call an API that demands it")
  func proofs() throws {
    let place = try Workplace()
    try place.lab.change(#"{"dpop_api_nonce":true}"#)
    try place.makeProfile("work", "dpop = true")
    try place.logIn()
    let proxy = try start(place)
    #expect(try curl(place, "\(proxy.address)/me").hasSuffix("200"))
    try place.lab.expireAccessTokens()
    #expect(try curl(place, "--data-binary small \(proxy.address)/echo").hasSuffix("200"))
  }

  @Test("a body that can't be kept passes with a token that lives; the refusal of a dead one is the response")
  func unkeptBody() throws {
    let place = try Workplace.loggedIn()
    let run = try place.start(
      ["proxy", "work", "--replay-buffer", "1000"], environment: ["TMPDIR": "/nonexistent"])
    let address = String(decoding: try run.waitUntilItServes("the proxy"), as: UTF8.self).dropLast()
    let send = "head -c 3000000 /dev/zero | curl -sS -T - -H 'Expect:' -o /dev/null -w '%{http_code}' \(address)/echo"
    #expect(try shell(place, send).text == "200")
    try place.lab.expireAccessTokens()
    #expect(try shell(place, send).text == "401")
    // A body that is short enough is sent again.
    #expect(try curl(place, "-o /dev/null --data-binary small \(address)/echo") == "200")
    #expect(try shell(place, send).text == "200")
    run.send(SIGTERM)
    #expect(try run.wait().status == 0)
  }

  @Test("of 2,000 connections, 1,000 are served, the others get 503 or are closed, and then it goes on")
  func connections() throws {
    let place = try Workplace.loggedIn()
    let proxy = try start(place)
    let script = """
      import resource, socket, sys, urllib.parse
      hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
      resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
      url = urllib.parse.urlsplit(sys.argv[1])
      head = f"GET {url.path}/me HTTP/1.1\\r\\nHost: {url.netloc}\\r\\n\\r\\n".encode()
      def connect():
          return socket.create_connection((url.hostname, url.port), 60)
      def answer(one):
          try:
              one.sendall(head)
              return one.recv(100)[9:12].decode()
          except OSError:
              return ""
      all = [connect() for _ in range(2000)]
      answers = [answer(one) for one in all]
      print(answers.count("200"), set(answers) <= {"200", "503", ""}, "503" in answers)
      for one in all: one.close()
      import time
      for _ in range(100):
          if answer(connect()) == "200": break
          time.sleep(0.1)
      print(answer(connect()))
      """
    let outcome = try ProgramRun(
      "/usr/bin/python3", ["-c", script, proxy.address], environment: place.session.environment,
      folder: place.session.directory
    ).wait()
    #expect(outcome.text == "1000 True True\n200\n", "\(outcome.text)\(outcome.error)")
  }

  @Test("status removes nothing but records of proxies; a folder that is a link is not followed")
  func records() throws {
    let place = try Workplace.loggedIn()
    let folder = place.session.directory.appending(path: "s/authctl/proxies")
    let proxy = try start(place)
    let strange = ["notes.txt", "77", "x.proxy"].map { folder.appending(path: $0) }
    for file in strange { try Data("mine".utf8).write(to: file) }
    let pipe = unsafe mkfifo(folder.appending(path: "pipe.proxy").path, 0o600)
    #expect(pipe == 0)
    #expect(try place.run("status", "work").text.contains("  proxy "))
    for file in strange { #expect(FileManager.default.fileExists(atPath: file.path), "\(file.path)") }
    proxy.run.send(SIGKILL)
    _ = try proxy.run.wait()
    #expect(try !place.run("status", "work").text.contains("  proxy "))
    let records = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(records) == ["notes.txt", "77", "x.proxy", "pipe.proxy"])
    let elsewhere = place.session.directory.appending(path: "elsewhere")
    try FileManager.default.moveItem(at: folder, to: elsewhere)
    try FileManager.default.createSymbolicLink(at: folder, withDestinationURL: elsewhere)
    #expect(try place.run("status", "work").status == 0)
  }

  @Test(
    "a response that comes before the end of a body reaches a client that waits for it", arguments: ["64", "100000"])
  func earlyResponse(buffer: String) throws {
    let place = try Workplace.loggedIn()
    let script = """
      import socket, sys, threading, time, urllib.parse
      server = socket.create_server(("127.0.0.1", 0))
      print(server.getsockname()[1], flush=True)
      def serve(one):
          seen = b""
          while b"part" not in seen: seen += one.recv(1000)
          one.sendall(b"HTTP/1.1 413 Too Large\\r\\nContent-Length: 3\\r\\n\\r\\nbig")
          while one.recv(1000): pass
      def accept():
          while True: threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
      threading.Thread(target=accept, daemon=True).start()
      url = urllib.parse.urlsplit(sys.stdin.readline().strip())
      client = socket.create_connection((url.hostname, url.port), 60)
      head = f"POST {url.path}/x HTTP/1.1\\r\\nHost: {url.netloc}\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n"
      body = b"x" * 100 + b"part" if sys.argv[1] == "64" else b"x" * 200000 + b"part"
      client.sendall(head.encode() + b"%x\\r\\n%b\\r\\n" % (len(body), body))
      answer = b""
      begin = time.monotonic()
      while b"big" not in answer:
          part = client.recv(1000)
          if not part: break
          answer += part
      print(answer[:12].decode(), time.monotonic() - begin < 30)
      """
    let server = try ProgramRun(
      "/usr/bin/python3", ["-c", script, buffer], input: .held, environment: place.session.environment,
      folder: place.session.directory)
    let port = String(decoding: try server.waitUntilItServes("the server"), as: UTF8.self).dropLast()
    try place.makeProfile("work", "api = [\"http://127.0.0.1:\(port)\"]")
    let proxy = try start(place, ["--replay-buffer", buffer])
    try server.write(proxy.address + "\n")
    #expect(try server.wait().text == "\(port)\nHTTP/1.1 413 True\n")
  }

  @Test("a descriptor for --ready-fd that is not open for writing, and an idle time of 0, end with 2")
  func descriptors() throws {
    let place = try Workplace.loggedIn()
    for number in ["9", "64"] {
      try place.run("proxy", "work", "--ready-fd", number).expect(2, error: "not open for writing")
    }
    try place.run("proxy", "work", "--idle-timeout", "0").expect(2, error: "end at once")
    let reading = ["/bin/bash", "-c", "exec 5</dev/null; exec \"$@\"", "-"]
    #expect(try place.run(["proxy", "work", "--ready-fd", "5"], through: reading).status == 2)
  }
}
