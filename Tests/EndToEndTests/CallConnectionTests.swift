import Foundation
import TestSupport
import Testing

@Suite("how call connects, end to end")
struct CallConnectionTests {
  private let token: [String: String?] = ["AUTHCTL_ACCESS_TOKEN": "given-token"]

  /// Whether this machine, or the container that it is, lets us.
  private static let canMakeNetwork: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/unshare")
    process.arguments = ["-n", "ip", "link", "set", "lo", "up"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  /// A command in a network of its own, in which this machine has one more address, 192.0.2.1 (RFC 5737), as another
  /// machine would have; what comes there, to the port of the API, is written to a file.
  private func apart(_ place: Workplace) throws -> (wrapper: [String], received: URL) {
    let received = place.session.directory.appending(path: "received")
    let port = try #require(place.lab.origin.split(separator: ":").last)
    let script = """
      import socket, sys
      listener = socket.create_server(("192.0.2.1", int(sys.argv[1])))
      file = open(sys.argv[2], "wb", 0)
      while True:
          peer, _ = listener.accept()
          try:
              file.write(peer.recv(65536))
          except ConnectionResetError:
              pass  # closed before anything was sent
          peer.close()
      """
    let steps = """
      ip link set lo up && ip addr add 192.0.2.1/32 dev lo || exit 99
      python3 -c '\(script)' \(port) '\(received.path)' & server=$!
      until [ -e '\(received.path)' ]; do sleep 0.02; done
      "$@"; status=$?; kill $server; exit $status
      """
    return (["/usr/bin/unshare", "-n", "sh", "-c", steps, "sh"], received)
  }

  @Test(
    "a token leaves this machine over https only, whatever leads elsewhere: status 7, and nothing is sent",
    .enabled(if: CallConnectionTests.canMakeNetwork, "only root can make a network"),
    arguments: ["--resolve", "-x", "http_proxy", "ALL_PROXY", "profile", "refresh"])
  func elsewhere(way: String) throws {
    let place = try Workplace.loggedIn()
    let port = try #require(place.lab.origin.split(separator: ":").last)
    let proxy = "http://192.0.2.1:\(port)"
    var environment: [String: String?] = [:]
    var arguments = ["call", "me"]
    switch way {
    case "--resolve": arguments += ["--resolve", "127.0.0.1:\(port):192.0.2.1"]
    case "-x": arguments += ["-x", proxy]
    case "profile": try place.makeProfile("work", tables: "[network]\nproxy = \"\(proxy)\"\n")
    case "refresh": (arguments, environment) = (["refresh", "work"], ["http_proxy": proxy])
    default: environment = [way: proxy]
    }
    let apart = try apart(place)
    let outcome = try place.run(arguments, environment: environment, through: apart.wrapper)
    #expect(outcome.status == (way == "refresh" ? 5 : 7), "\(outcome.error)")
    #expect(
      outcome.error.contains("192.0.2.1: secrets would cross the network unencrypted"), "\(outcome.error)")
    #expect(try Data(contentsOf: apart.received).isEmpty)
    guard way != "refresh" else { return }
    try FileManager.default.removeItem(at: apart.received)
    // What is no secret may go there: the server that is there is not one that responses.
    let anonymous = try place.run(arguments + ["--no-auth"], environment: environment, through: apart.wrapper)
    anonymous.expect(5)
    #expect(try Data(contentsOf: apart.received).isEmpty == false)
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
    plain.expect(0)
    let nobody = try place.run(arguments + [encrypted, address])
    #expect(nobody.status == 2)
    #expect(nobody.error.contains("there is no terminal to prompt on"), "\(nobody.error)")
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
    let path = place.session.directory.appending(path: "socket").path
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
    outcome.expect(0)
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
    for isRepeated in [false, true] {
      let place = try Workplace.loggedIn()
      try FileManager.default.createDirectory(
        atPath: place.session.directory.path + "/s/full", withIntermediateDirectories: true)
      let outcome = try place.run(arguments + (isRepeated ? ["echo"] : []), input: .pipe(data), through: wrapper)
      #expect(outcome.status == (isRepeated ? 1 : 0), "\(outcome.error)")
      #expect(outcome.text.contains("3145728"))
      #expect(try place.lab.counters()["api"] == 1)
      #expect(outcome.error.contains("No space left on device") == isRepeated, "\(outcome.error)")
    }
  }
}
