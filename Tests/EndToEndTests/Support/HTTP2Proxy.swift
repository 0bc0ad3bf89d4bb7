import Foundation
import TestSupport

/// nginx in front of authlab: HTTP/2 over TLS for the client, HTTP/1.1 behind it.
final class HTTP2Proxy: Sendable {
  /// Scheme, host and port.
  let origin: String
  /// The path of its certificate, which is its own authority.
  let certificate: String
  private let log: URL
  private let process: ProgramRun

  /// Starts it and waits until it listens.
  ///
  /// - Parameters:
  ///   - port: where it listens, on 127.0.0.1.
  ///   - server: the port of the server behind it.
  ///   - folder: for its files.
  init(port: UInt16, to server: UInt16, in folder: URL) throws {
    origin = "https://127.0.0.1:\(port)"
    certificate = folder.appending(path: "nginx.pem").path
    log = folder.appending(path: "requests")
    let key = folder.appending(path: "nginx.key").path
    let request = try ProgramRun(
      "/usr/bin/openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
        "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
      ], environment: [:], folder: folder
    ).wait()
    guard request.status == 0 else { throw SessionError("openssl: \(request.error)") }
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder.path)/\($0);" }
    let text = """
      daemon off;
      pid \(folder.path)/nginx.pid;
      worker_processes 1;
      events { worker_connections 4096; }
      http {
        log_format request "$server_protocol $connection $status $request_uri";
        access_log \(log.path) request;
        # Then it sends a GOAWAY (real-servers.md, 45).
        keepalive_requests 100;
        client_max_body_size 0;
        \(temporary.joined(separator: " "))
        upstream authlab { server 127.0.0.1:\(server); keepalive 64; }
        server {
          listen 127.0.0.1:\(port) ssl http2;
          ssl_certificate \(certificate);
          ssl_certificate_key \(key);
          location / {
            proxy_pass http://authlab;
            proxy_http_version 1.1;
            proxy_read_timeout 1200s;
            proxy_set_header Connection "";
            proxy_set_header Host $http_host;
          }
        }
      }
      """
    let file = folder.appending(path: "nginx.conf")
    try Data(text.utf8).write(to: file)
    process = try ProgramRun(
      "/usr/sbin/nginx", ["-p", folder.path, "-e", "stderr", "-c", file.path], environment: [:], folder: folder)
    try Waiting.until("nginx listens: \(process.errorSoFar)") {
      guard let connection = try? LoopbackConnection(port: port) else { return false }
      connection.close()
      return true
    }
  }

  deinit {
    // Its worker ends with it.
    process.send(SIGTERM)
    _ = try? process.wait(seconds: 600)
  }

  /// The requests so far: protocol, number of the connection, status and target of each.
  func requests() throws -> [[String]] {
    try String(contentsOf: log, encoding: .utf8).split(separator: "\n").map { line in
      line.split(separator: " ").map(String.init)
    }
  }
}
