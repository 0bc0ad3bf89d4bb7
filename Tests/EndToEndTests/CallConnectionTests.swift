import Foundation
import TestSupport
import Testing

@Suite("how call connects, end to end")
struct CallConnectionTests {
  private let token: [String: String?] = ["AUTHCTL_ACCESS_TOKEN": "given-token"]

  @Test(
    "a token leaves this machine over https only, whatever leads elsewhere: status 7, and nothing is sent",
    arguments: ["--resolve", "-x", "http_proxy", "ALL_PROXY", "profile"])
  func elsewhere(way: String) throws {
    // The unspecified address is no address of this machine by its form, and leads to it all the same.
    let place = try Workplace.loggedIn()
    let port = try #require(place.lab.origin.split(separator: ":").last)
    let away = "http://0.0.0.0:\(port)"
    var environment: [String: String?] = [:]
    var arguments: [String] = []
    switch way {
    case "--resolve": arguments = ["--resolve", "127.0.0.1:\(port):0.0.0.0"]
    case "-x": arguments = ["-x", away]
    case "profile": try place.makeProfile("work", tables: "[network]\nproxy = \"\(away)\"\n")
    default: environment = [way: away]
    }
    let outcome = try place.run(["call"] + arguments + ["me"], environment: environment)
    #expect(outcome.status == 7, "\(outcome.error)")
    #expect(outcome.error.contains("0.0.0.0: what is secret would cross the network in the clear"), "\(outcome.error)")
    let given = try place.run(
      ["call"] + arguments + ["-p", "work", place.lab.origin + "/open/echo"],
      environment: environment.merging(token) { $1 })
    #expect(given.status == 7, "\(given.error)")
    #expect(try place.lab.lastRequests().isEmpty)
    let anonymous = try place.run(
      ["call", "--no-auth", "-p", "work"] + arguments + [place.lab.origin + "/open/echo"], environment: environment)
    #expect(anonymous.error.contains("in the clear") == false)
  }

  @Test("no renewal goes there either: its refresh token stays here")
  func renewal() throws {
    let place = try Workplace.loggedIn()
    let port = try #require(place.lab.origin.split(separator: ":").last)
    let outcome = try place.run("refresh", "work", environment: ["http_proxy": "http://0.0.0.0:\(port)"])
    #expect(outcome.status == 5, "\(outcome.error)")
    #expect(outcome.error.contains("in the clear"), "\(outcome.error)")
    #expect(try place.lab.lastRequests().isEmpty)
    #expect(try place.run("refresh", "work").status == 0)
  }

  @Test("certificate, key and authority are named on the command line, and the password of the key is asked for")
  func certificates() throws {
    let server = try CertificateServer()
    let place = try Workplace(.none)
    let encrypted = place.session.directory.appending(path: "encrypted.key").path
    try place.session.run(
      "openssl", ["pkey", "-in", "\(server.folder)/robot.key", "-aes256", "-passout", "pass:sesame", "-out", encrypted])
    let arguments = [
      "call", "--no-auth", "--cacert", "\(server.folder)/ca.pem", "-E", "\(server.folder)/robot.pem", "--key",
    ]
    let address = server.issuer + "/counts"
    let plain = try place.run(arguments + ["\(server.folder)/robot.key", address])
    #expect(plain.status == 0, "\(plain.error)")
    let nobody = try place.run(arguments + [encrypted, address])
    #expect(nobody.status == 2)
    #expect(nobody.error.contains("nobody can be asked here"), "\(nobody.error)")
    let terminal = try PseudoTerminal()
    let run = try place.start(arguments + [encrypted, address, "-o", "/dev/null"], input: .terminal(terminal))
    _ = try terminal.read(until: "encrypted.key: ")
    try Waiting.until("no echo") { !terminal.echoes }
    try terminal.type("sesame\n")
    #expect(try run.wait().status == 0)
  }

  @Test("a socket of this machine takes a token")
  func socket() throws {
    let place = try Workplace(.none)
    let path = place.session.directory.appending(path: "s").path
    let script = """
      import socket, sys
      listener = socket.socket(socket.AF_UNIX)
      listener.bind(sys.argv[1])
      listener.listen()
      print(flush=True)
      peer, _ = listener.accept()
      head = b""
      while b"\\r\\n\\r\\n" not in head: head += peer.recv(65536)
      body = [line for line in head.split(b"\\r\\n") if line.startswith(b"Authorization")][0]
      peer.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n%s" % (len(body), body))
      """
    let server = try ProgramRun(
      "/usr/bin/python3", ["-c", script, path], environment: ["PATH": "/usr/bin:/bin"], folder: place.session.directory)
    _ = try server.waitUntilItServes("a socket")
    let outcome = try place.run(["call", "--unix-socket", path, "http://localhost/"], environment: token)
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.text == "Authorization: Bearer given-token")
    #expect(try server.wait().status == 0)
  }

  @Test(
    "a pipe is sent although the disk is full, but not a second time",
    .enabled(if: getuid() == 0, "only root can mount a disk"))
  func fullDisk() throws {
    let steps = "mount --make-rprivate / && mount -t tmpfs -o size=64k none \"$XDG_STATE_HOME/full\""
    let wrapper = [
      "/usr/bin/unshare", "-m", "sh", "-c", "\(steps) && TMPDIR=\"$XDG_STATE_HOME/full\" exec \"$@\"", "sh",
    ]
    let data = Data(repeating: 7, count: 3 << 20)
    let arguments = ["call", "--data-binary", "@-", "echo"]
    // The answer of echo comes when the whole body has: as a refusal of the token, it asks for it once more.
    for isRefused in [false, true] {
      let place = try Workplace.loggedIn(isRefused ? "refresh_on = [200]" : "")
      try FileManager.default.createDirectory(
        atPath: place.session.directory.path + "/s/full", withIntermediateDirectories: true)
      let outcome = try place.run(arguments, input: .pipe(data), through: wrapper)
      #expect(outcome.status == (isRefused ? 1 : 0), "\(outcome.error)")
      #expect(try place.lab.counters()["api"] == 1)
      #expect(outcome.error.contains("No space left on device") == isRefused, "\(outcome.error)")
      #expect(try place.lab.counters()["token"] == nil)
    }
  }
}
