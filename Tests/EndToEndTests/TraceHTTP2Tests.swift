import Foundation
import TestSupport
import Testing

@Suite("the trace over HTTP/2, and what a certificate says, end to end")
struct TraceHTTP2Tests {
  /// A token of 3 KB: libcurl cuts off its notes at 2,048 bytes.
  private static let token = (0..<300).map { "T\(100_000_000 + $0 * 7919)" }.joined()

  /// A server of HTTP/2 over TLS, from the package nghttp2-server, with a certificate for `name` that has no other
  /// names.
  private final class Server {
    let origin: String
    let certificate: String
    private let process: ProgramRun

    init(_ place: Workplace, name: String) throws {
      let folder = place.session.directory
      let port = try FreePort.find()
      certificate = folder.appending(path: "server.pem").path
      let key = folder.appending(path: "server.key").path
      try Data("hello\n".utf8).write(to: folder.appending(path: "file"))
      _ = try place.session.run(
        "openssl",
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-utf8",
          "-subj",
          "/CN=" + name, "-keyout", key, "-out", certificate,
        ])
      process = try ProgramRun(
        "/usr/bin/env", ["nghttpd", "-a", "127.0.0.1", "-d", folder.path, String(port), key, certificate],
        environment: ["PATH": "/usr/sbin:/usr/bin:/bin"], folder: folder)
      origin = "https://127.0.0.1:\(port)"
      try Waiting.until("nghttpd: \(process.errorSoFar)") {
        guard let connection = try? LoopbackConnection(port: port) else { return false }
        connection.close()
        return true
      }
    }

    deinit { process.send(SIGTERM) }
  }

  private func call(_ place: Workplace, _ server: Server, _ options: [String]) throws -> Outcome {
    try place.run(
      ["call"] + options + ["--cacert", server.certificate, server.origin + "/file"],
      environment: ["AUTHCTL_ACCESS_TOKEN": Self.token])
  }

  @Test("no part of a long token is shown, not in the header and not in libcurl's notes, which only -vv has")
  func longToken() throws {
    let place = try Workplace(.none)
    let server = try Server(place, name: "127.0.0.1")
    for (options, hasNotes) in [(["-v"], false), (["-vv"], true), (["-v", "--verbose"], true)] {
      let outcome = try call(place, server, options)
      #expect(outcome.status == 0 && outcome.text == "hello\n", "\(outcome.error)")
      #expect(outcome.error.contains("< HTTP/2 200"), "\(outcome.error)")
      #expect(outcome.error.lowercased().contains("authorization: bearer ‹redacted"), "\(outcome.error)")
      #expect(outcome.error.contains("Connected to 127.0.0.1") == hasNotes, "\(outcome.error)")
      for part in stride(from: 0, to: Self.token.count, by: 10) {
        let start = Self.token.index(Self.token.startIndex, offsetBy: part)
        #expect(!outcome.error.contains(Self.token[start...].prefix(10)), "\(outcome.error)")
      }
    }
  }

  /// The phases in an HTTP archive.
  private struct Archive: Decodable {
    struct Log: Decodable {
      let entries: [Entry]
    }
    struct Entry: Decodable {
      let timings: [String: Double]
    }
    let log: Log
  }

  @Test("an archive has the phases of a real connection; a request that reuses it has no DNS, TCP or TLS")
  func phases() throws {
    let place = try Workplace(.none)
    let server = try Server(place, name: "127.0.0.1")
    let file = place.session.directory.appending(path: "phases.har")
    let outcome = try call(place, server, ["--trace", file.path, server.origin + "/file"])
    outcome.expect(0)
    let entries = try JSONDecoder().decode(Archive.self, from: Data(contentsOf: file)).log.entries
    let phases = entries.map(\.timings)
    try #require(phases.count == 2)
    func phase(_ name: String, _ index: Int) throws -> Double { try #require(phases[index][name]) }
    #expect(try phase("ssl", 0) > 0 && phase("connect", 0) > phase("ssl", 0) && phase("dns", 0) >= 0, "\(phases)")
    for index in 0...1 { #expect(try phase("wait", index) > 0, "\(phases)") }
    for name in ["dns", "connect", "ssl"] { #expect(try phase(name, 1) == -1, "\(phases)") }
  }

  @Test("the name in a certificate drives no terminal: in an error, in a trace, in JSON")
  func certificateName() throws {
    let place = try Workplace(.none)
    let server = try Server(place, name: "evil\u{1B}[31m\u{9B}32m\u{202E}name")
    for options in [[], ["-v"], ["-vv"], ["--errors=json"]] {
      let outcome = try call(place, server, options)
      outcome.expect(5, error: "evil")
      let scalars = outcome.error.unicodeScalars
      #expect(!scalars.contains { ["\u{1B}", "\u{9B}", "\u{202E}"].contains($0) }, "\(outcome.error)")
    }
  }
}
