import Foundation
import TestSupport

/// nghttpd with files: HTTP/2 over TLS on 127.0.0.1.
final class HTTP2Server {
  /// Scheme, host and port.
  let origin: String
  /// The path of its certificate, which is its own authority.
  let certificate: String
  private let folder: TemporaryDirectory
  private let process: ChildProcess

  /// Starts it and waits until it listens; each file's content is its name.
  init(files: Range<Int>) throws {
    folder = try TemporaryDirectory()
    let (path, port) = (folder.url.path, try FreePort.find())
    origin = "https://127.0.0.1:\(port)"
    certificate = path + "/certificate.pem"
    let request = try ChildProcess(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
        "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", path + "/key.pem",
        "-out", certificate,
      ], environment: [:])
    guard request.wait() == 0 else { throw SessionError("openssl made no certificate") }
    for number in files { try Data("\(number)".utf8).write(to: folder.url.appending(path: "\(number)")) }
    process = try ChildProcess(
      "/usr/sbin/nghttpd", ["-a", "127.0.0.1", "-d", path, "\(port)", path + "/key.pem", certificate], environment: [:])
    // A process that can't listen ends: then no connection is ever open.
    for _ in 0..<60_000 {
      guard let connection = try? LoopbackConnection(port: port) else {
        usleep(10_000)
        continue
      }
      connection.close()
      return
    }
    throw SessionError("nghttpd does not listen on port \(port)")
  }
}
