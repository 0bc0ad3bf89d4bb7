public import Foundation
import Synchronization

/// A running authlab: the loopback authorization server and API of the tests.
///
/// It ends with `stop()`, with the last reference, and with the process that started it.
public final class Authlab: Sendable {
  /// Scheme, host and port, which is the issuer too: `http://127.0.0.1:PORT`.
  public let origin: String
  /// The port on 127.0.0.1.
  public let port: UInt16
  // While its input is open the server runs; the system closes it when the test process dies in whatever way.
  private let process: Mutex<ChildProcess?>

  /// Starts a server on a free port and waits until it listens.
  /// - Throws: `AuthlabError.notStarted` when it does not.
  public init(_ arguments: [String] = []) throws {
    let process = try ChildProcess(
      Self.binary.path, ["--port", "0", "--exit-with-stdin"] + arguments,
      environment: ProcessInfo.processInfo.environment)
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      let piece = process.output.availableData
      guard !piece.isEmpty else { throw AuthlabError.notStarted(String(decoding: line, as: UTF8.self)) }
      line += piece
    }
    let words = String(decoding: line.dropLast(), as: UTF8.self).split(separator: " ")
    guard words.count == 4, words.dropLast() == ["authlab", "listening", "on"],
      let port = words[3].split(separator: ":").last.flatMap({ UInt16($0) })
    else { throw AuthlabError.notStarted(String(decoding: line, as: UTF8.self)) }
    origin = String(words[3])
    self.port = port
    self.process = Mutex(process)
  }

  deinit {
    stop()
  }

  /// Where the build put the program: beside the tests themselves.
  public static var binary: URL {
    URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "authlab")
  }

  /// Ends the server and waits for its end.
  public func stop() {
    process.withLock { process in
      process?.end()
      process = nil
    }
  }

  /// Sends one request on a connection of its own; redirects are not followed.
  /// - Throws: `AuthlabError` when the server gives no whole response within ten minutes, `Errno` when it can't
  ///   be reached.
  public func send(
    _ method: String = "GET", _ path: String, headers: [(name: String, value: String)] = [], body: Data? = nil
  ) throws -> LoopbackResponse {
    let connection = try LoopbackConnection(port: port)
    defer { connection.close() }
    try connection.write(method: method, path: path, headers: headers, body: body)
    return try connection.readResponse()
  }

  /// Posts a form (RFC 6749, appendix B).
  /// - Throws: As `send`.
  public func post(
    _ path: String, form: [(name: String, value: String)], headers: [(name: String, value: String)] = []
  ) throws -> LoopbackResponse {
    let allowed = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\u{20}"..."\u{7e}"))
    let encode = { (text: String) in text.addingPercentEncoding(withAllowedCharacters: allowed) ?? text }
    let text = form.map { encode($0.name) + "=" + encode($0.value) }.joined(separator: "&")
    let type = (name: "Content-Type", value: "application/x-www-form-urlencoded")
    return try send("POST", path, headers: [type] + headers, body: Data(text.utf8))
  }
}
